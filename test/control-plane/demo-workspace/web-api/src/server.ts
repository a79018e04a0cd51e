import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createOrder, type OrderRequest } from './routes/orders';

async function reserve(sku: string, quantity: number): Promise<void> {
  const response = await fetch(`http://inventory:8084/reserve/${sku}?quantity=${quantity}`);
  if (!response.ok) throw new Error(`inventory answered ${response.status}`);
}

const server = createServer((request, response) => {
  void (async () => {
    try {
      const body = JSON.parse(await text(request)) as OrderRequest;
      const order = await createOrder(body, reserve);
      response.writeHead(201).end(JSON.stringify(order));
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  })();
});

server.listen(8080);
