import { openByName } from '../localtunnel/open-by-name.ts'
import { isName, nameRule, publicServer, serverOrigin } from '../localtunnel/names.ts'
import { badOption, tidyOptions } from '../options.ts'
import type { TunnelProvider } from '../provider.ts'

const fields = [
  {
    name: 'host',
    label: 'Server',
    placeholder: publicServer,
    hint: 'The localtunnel server: a name or an address. Without one, the public server is used.',
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
    throw badOption('subdomain', 'Write it as localtunnel[:subdomain][@host].')
  }
  return check({ subdomain: before.slice(1), host: at < 0 ? '' : rest.slice(at + 1) })
}

const provider: TunnelProvider = {
  id: 'localtunnel',
  label: 'localtunnel',
  about: 'The open source tunnel, over its public server or one of your own.',
  fields,
  notes: [
    'Its server shows browsers its own page first. Webhook senders are not affected.',
    'So an authorization redirect cannot use this tunnel: use a loopback URL for it.',
    'Names of headers arrive in lower case, whatever the sender wrote.',
    'The public server is assumed to truncate bodies at 1 to 2 MB. The size probe shows the actual limit.',
    'The public server is run by volunteers, and whoever runs it can read all that passes.',
  ],
  leadsTo: 'door',
  parse,
  check,
  publicServer: ({ host = publicServer }) => (host === publicServer ? publicServer : null),
  look: async () => ({ missing: null, program: null }),
  async open({ port, options, again }, world, signs, signal) {
    const { host = publicServer, subdomain } = check(options)
    const name = subdomain ?? (again !== null && isName(again) ? again : null)
    const wish = { host, name, byUser: subdomain !== undefined, port }
    const { id, url, closed } = await openByName(world, wish, signs, signal)
    return {
      url,
      asked: name === null || name === id ? null : name,
      // A name that its server gives, but that cannot be asked for, is of no use the next time.
      again: isName(id) ? id : null,
      closed,
    }
  },
}
export default provider
