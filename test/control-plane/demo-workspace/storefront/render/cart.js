'use strict';

/** The lines of the cart as HTML. */
function renderCart(cart) {
  const rows = cart.items.map((item) => `<li>${item.quantity} × ${item.product.name}</li>`);
  return `<ul class="cart">${rows.join('')}</ul>`;
}

function renderBadge(cart) {
  return `<span class="badge">${cart.items.length}</span>`;
}

module.exports = { renderCart, renderBadge };
