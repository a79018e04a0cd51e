'use strict';

const http = require('node:http');
const { renderBadge, renderCart } = require('./render/cart');

const carts = new Map();

function handle(request, response) {
  const session = request.headers.cookie ?? '';
  const cart = carts.get(session) ?? { items: [] };
  response.setHeader('content-type', 'text/html');
  response.end(renderBadge(cart) + renderCart(cart));
}

http.createServer(handle).listen(8081);
