export interface ScriptExample {
  readonly title: string
  /** Where it is useful. */
  readonly for: 'request' | 'response'
  readonly source: string
}

export const scriptExamples: readonly ScriptExample[] = [
  {
    title: 'Rename a field',
    for: 'request',
    source: `// Sends data.spotName as data.table. The body is signed again.
export default (delivery) => {
  const { spotName, ...data } = delivery.body?.data ?? {}
  if (spotName === undefined) return
  return { body: { ...delivery.body, data: { ...data, table: spotName } } }
}
`,
  },
  {
    title: 'Add a header',
    for: 'request',
    source: `// Adds the SHA-256 of the body, in hex.
export default (delivery, { crypto }) => ({
  headers: { 'X-Body-SHA256': crypto.sha256(delivery.text) },
})
`,
  },
  {
    title: 'Forward by location',
    for: 'request',
    source: `// Forwards each location to its own server, and no other deliveries.
const servers: Record<string, string> = {
  Harbour: 'http://127.0.0.1:3001/webhooks',
  'Old Town': 'http://127.0.0.1:3002/webhooks',
}

export default (delivery) => {
  const url = servers[delivery.body?.locationName]
  return url === undefined ? { forward: false } : { url }
}
`,
  },
  {
    title: 'Delay by type',
    for: 'response',
    source: `// Responds to orders after two seconds, and to everything else at once.
export default (delivery) => ({
  status: 200,
  delayMs: delivery.type === 'ORDER_PLACED' ? 2000 : 0,
})
`,
  },
  {
    title: 'Fail every third',
    for: 'response',
    source: `// Fails every third delivery. The state is kept for the next delivery.
export default (delivery, { state, log }) => {
  state.count = (state.count ?? 0) + 1
  log('delivery', state.count)
  if (state.count % 3 === 0) return { status: 503 }
}
`,
  },
  {
    title: 'Respond by order number',
    for: 'response',
    source: `// Rejects orders with an even number, such as A-18.
export default (delivery) => {
  if (delivery.type !== 'ORDER_PLACED') return
  const number = Number(delivery.body?.data?.orderName?.split('-').at(-1))
  if (number % 2 === 0) return { status: 422, body: \`Order \${number} is rejected.\` }
}
`,
  },
]
