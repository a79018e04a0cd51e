'use strict';

const pages = ['/', '/sale', '/new', '/category/shoes', '/category/coats'];

async function warm(base) {
  for (const page of pages) {
    const started = Date.now();
    const response = await fetch(base + page);
    if (!response.ok) throw new Error(`${page} answered ${response.status}`);
    console.log(`${page} warmed in ${Date.now() - started} ms`);
  }
}

void warm(process.env.STOREFRONT_URL ?? 'http://storefront:8081');
