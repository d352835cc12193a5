import path from 'node:path'
import type { Templates } from '#engine/receiving/relay/admin/render.ts'
import { version } from '../version.ts'

const sources = import.meta.glob<string>('../../../../resources/relay/*', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Of the files that `tabscope relay init` writes beside nats.conf. */
export function relayTemplates(): Templates {
  return Object.fromEntries(
    Object.entries(sources).map(([file, text]) => [
      path.posix.basename(file),
      text.replaceAll('{{version}}', version()),
    ]),
  )
}
