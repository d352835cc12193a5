import { openByName } from '../localtunnel/open-by-name.ts'
import { isName, nameRule, publicServer, serverOrigin } from '../localtunnel/names.ts'
import { badOption, tidyOptions } from '../options.ts'
import type { TunnelProvider } from '../provider.ts'

const fields = [
  {
    name: 'host',
    label: 'Server',
    placeholder: publicServer,
    hint: 'The localtunnel server, as a host name or URL. Leave it empty to use the public server.',
    required: false,
  },
  {
    name: 'subdomain',
    label: 'Subdomain',
    placeholder: 'any',
    hint: `The subdomain to request, so that the URL stays the same. ${nameRule} If it is in use, the server assigns another.`,
    required: false,
  },
] as const

function check(options: Readonly<Record<string, string>>): Record<string, string> {
  const { host, subdomain } = tidyOptions('localtunnel', fields, options)
  if (subdomain !== undefined && !isName(subdomain)) {
    // Not quoted: it may be a secret that was pasted into the wrong field.
    throw badOption('subdomain', `This subdomain is not allowed. ${nameRule}`)
  }
  return {
    ...(host === undefined ? {} : { host: serverOrigin(host) }),
    ...(subdomain === undefined ? {} : { subdomain }),
  }
}

/** `[:subdomain][@host]` */
function parse(rest: string): Record<string, string> {
  const at = rest.indexOf('@')
  const before = at < 0 ? rest : rest.slice(0, at)
  if (before !== '' && !before.startsWith(':')) {
    throw badOption('subdomain', 'Invalid tunnel option. Use localtunnel[:subdomain][@host].')
  }
  return check({ subdomain: before.slice(1), host: at < 0 ? '' : rest.slice(at + 1) })
}

const provider: TunnelProvider = {
  id: 'localtunnel',
  label: 'localtunnel',
  about: 'An open source tunnel that uses a public server or your own.',
  fields,
  notes: [
    'Its server shows browsers its own page first. Webhook senders are not affected.',
    'So an authorization redirect cannot use this tunnel: use a loopback URL for it.',
    'Header names are received in lowercase, regardless of how the sender wrote them.',
    'The public server is assumed to truncate bodies at 1 to 2 MB.',
    'The public server is run by volunteers, who can read everything that passes through it.',
  ],
  target: 'tunnel-listener',
  parse,
  check,
  publicServer: ({ host = publicServer }) => (host === publicServer ? publicServer : null),
  detect: async () => ({ missing: null, program: null }),
  async open({ port, options, previousName }, dependencies, events, signal) {
    const { host = publicServer, subdomain } = check(options)
    const name = subdomain ?? (previousName !== null && isName(previousName) ? previousName : null)
    const request = { host, name, byUser: subdomain !== undefined, port }
    const { id, url, closed } = await openByName(dependencies, request, events, signal)
    return {
      url,
      requestedName: name === null || name === id ? null : name,
      // The server may assign a name that it does not accept in a request.
      nextName: isName(id) ? id : null,
      closed,
    }
  },
}
export default provider
