import type { GeneratedFile } from '#contract/generate.ts'
import type { PayloadModel } from '../model.ts'

interface ReadmeOptions {
  readonly label: string
  /** The last one starts the handler. */
  readonly commands: readonly string[]
  /** Has a function for each event type. */
  readonly eventHandlers: string
  /** File with the list of processed events and the queue. */
  readonly receiver: string
  readonly types: { readonly path: string; readonly language: string } | null
  /** Where processed events are, if not in memory. */
  readonly memory?: string
  /** What else to know before it runs in production. */
  readonly note?: string
}

export function readme({ brand }: PayloadModel, options: ReadmeOptions): GeneratedFile {
  const { label, commands, eventHandlers, receiver, types, note = '', memory } = options
  const start = [
    ...commands.slice(0, -1),
    `WEBHOOK_SECRET=… ${commands.at(-1)} 2>&1 | tee handler.log`,
  ].join('\n')
  // Only an endpoint has another brand.
  const signing = brand === 'Service' ? '--secret-env WEBHOOK_SECRET' : '--endpoint YOUR-ENDPOINT'
  const brandOption = brand === 'Service' ? '' : ` --brand '${brand}'`
  const update =
    types === null
      ? ''
      : `
\`${types.path}\` is generated. To update it:

\`\`\`sh
tabscope generate types --language ${types.language}${brandOption} -o ${types.path}
\`\`\`
`
  const text = `# Webhook handler (${label})

\`\`\`sh
${start}
\`\`\`

It receives \`POST /webhooks\`, verifies the signature, and responds. Then it processes the event.

| Variable | |
| --- | --- |
| \`WEBHOOK_SECRET\` | Secret of the webhook. Required |
| \`WEBHOOK_PREVIOUS_SECRET\` | While the secret is changed: the previous one, which is accepted too |
${commands.at(-1)?.includes('3000') ? '' : '| `PORT` | Default: 3000 |\n'}
Write your code in \`${eventHandlers}\`. It has a function for each event type.
${update}
Test it while it runs, with the same secret${brand === 'Service' ? '' : ' as your endpoint in Tabscope'}:

\`\`\`sh
tabscope rehearse --to http://127.0.0.1:3000/webhooks ${signing} \\
  --observe-command 'grep Processed handler.log | wc -l'
\`\`\`

## Before production

${memory ?? `Processed events and the queue are in memory (\`${receiver}\`). A restart forgets both, and other processes have their own.`} Before you
respond, insert each event into a table with a unique key of type, target, location and creation time, and process it from there.${note === '' ? '' : `\n\n${note}`}
`
  return { path: 'README.md', text }
}
