import { badOption, tidyOptions, originOf } from '../options.ts'
import { TunnelFailure, type TunnelProvider } from '../provider.ts'

const fields = [
  {
    name: 'url',
    label: 'Public URL',
    placeholder: 'https://hooks.example.com',
    hint: 'Enter the URL that leads to this listener, such as "https://hooks.example.com".',
    required: true,
  },
] as const

function check(options: Readonly<Record<string, string>>): Record<string, string> {
  const { url = '' } = tidyOptions('manual', fields, options)
  const origin = originOf(url)
  if (origin === null) {
    throw badOption(
      'url',
      'The option "url" is not a public URL. Enter http:// or https:// and a host name, optionally with a port, but without a path, query or credentials.',
    )
  }
  return { url: origin }
}

/** The user has connected the URL to the listener. Tabscope opens nothing, and cannot fix it. */
const provider: TunnelProvider = {
  id: 'manual',
  label: 'your own URL',
  about:
    'A reverse proxy, ssh -R, or anything else that you have connected to the listener yourself.',
  fields,
  notes: [
    'Forward everything under /hooks/ to 127.0.0.1 and the listener’s port, with method, query, headers and body unchanged.',
    'Tabscope checks whether the URL leads here. It cannot fix the proxy in between, which you operate.',
    'If the port of the listener changes, update the proxy too.',
    'Deliveries through this URL are not marked as received through a tunnel: they reach the listener like any other.',
  ],
  target: 'listener',
  parse: (rest) => check({ url: rest.startsWith(':') ? rest.slice(1) : rest }),
  check,
  detect: async () => ({ missing: null, program: null }),
  async open({ options }, _dependencies, _events, signal) {
    if (signal.aborted)
      throw new TunnelFailure('stopped', 'The tunnel was closed while it was being opened.')
    const { url = '' } = check(options)
    const closed = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true })
    })
    return { url, requestedName: null, nextName: null, closed }
  },
}
export default provider
