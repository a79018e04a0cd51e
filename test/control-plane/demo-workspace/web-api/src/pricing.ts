export interface Item {
  readonly sku: string;
  readonly quantity: number;
  readonly unitPrice: number;
}

export interface Discount {
  readonly code: string;
  readonly percent: number;
}

const discounts = new Map<string, Discount>([
  ['WELCOME', { code: 'WELCOME', percent: 10 }],
  ['SPRING', { code: 'SPRING', percent: 15 }],
]);

/** The sum of an order in cents. */
export function priceOf(items: readonly Item[], code: string): number {
  const sum = items.reduce((total, item) => total + item.quantity * item.unitPrice, 0);
  const discount = discounts.get(code) as Discount;
  return Math.round(sum * (1 - discount.percent / 100));
}
