import { consume, type Message } from './queue';

interface OrderMessage {
  readonly orderId: string;
  readonly address: { readonly country: string };
}

async function ship(message: Message): Promise<void> {
  const order = JSON.parse(message.body) as OrderMessage;
  const carrier = order.address.country === 'DE' ? 'domestic' : 'international';
  console.log(`order ${order.orderId}: label from carrier ${carrier}`);
  await Promise.resolve();
}

void consume(() => Promise.resolve(undefined), ship);
