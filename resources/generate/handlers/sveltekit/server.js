// The default of adapter-node is 512 KiB.
process.env.BODY_SIZE_LIMIT ??= '10M'
await import('./build/index.js')
console.log(`Listening on http://127.0.0.1:${process.env.PORT ?? 3000}/webhooks`)
