import { badOption, tidyOptions, originOf } from '../options.ts'
import { TunnelFailure, type TunnelProvider } from '../provider.ts'

const fields = [
  {
    name: 'url',
    label: 'Public address',
    placeholder: 'https://hooks.example.com',
    hint: 'Give the address that leads to this listener, as "https://hooks.example.com".',
    required: true,
  },
] as const

function check(options: Readonly<Record<string, string>>): Record<string, string> {
  const { url = '' } = tidyOptions('manual', fields, options)
  const origin = originOf(url)
  if (origin === null) {
    throw badOption(
      'url',
      'The setting "url" is no public address. Give http:// or https:// and a name, perhaps a port, and nothing behind it: no path, no query, no credentials.',
    )
  }
  return { url: origin }
}

/** An address that the user has wired to the listener: nothing is opened here, and nothing can be mended. */
const provider: TunnelProvider = {
  id: 'manual',
  label: 'your own address',
  about: 'A reverse proxy, ssh -R, or anything else that you have wired to the listener yourself.',
  fields,
  notes: [
    'Forward everything under /hooks/ to 127.0.0.1 and the listener’s port, with method, query, headers and body unchanged.',
    'Tabscope checks whether the URL leads here. It cannot fix it: the proxy in between is yours.',
    'When the port of the listener changes, what passes it on has to be changed too.',
    'Deliveries through this URL are not marked as received through a tunnel: they reach the listener like any other.',
  ],
  leadsTo: 'listener',
  parse: (rest) => check({ url: rest.startsWith(':') ? rest.slice(1) : rest }),
  check,
  look: async () => ({ missing: null, program: null }),
  async open({ options }, _world, _signs, signal) {
    if (signal.aborted) throw new TunnelFailure('stopped', 'It was closed while it was opened.')
    const { url = '' } = check(options)
    const closed = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true })
    })
    return { url, asked: null, again: null, closed }
  },
}
export default provider
