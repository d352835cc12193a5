import { badOption, tidyOptions } from '../options.ts'
import { lookForProgram } from '../program/find.ts'
import { ngrok } from '../program/ngrok.ts'
import { openProgram } from '../program/open.ts'
import type { TunnelProvider } from '../provider.ts'

const fields = [
  {
    name: 'domain',
    label: 'Domain',
    placeholder: 'pier9.ngrok.app',
    hint: 'A domain of your ngrok account, without https://. Leave it empty for the one that ngrok chooses.',
    required: false,
  },
] as const

/** Labels of letters, digits and hyphens (RFC 1123, 2.1), at least two of them. */
const domainName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

function check(options: Readonly<Record<string, string>>): Record<string, string> {
  const { domain } = tidyOptions('ngrok', fields, options)
  if (domain === undefined) return {}
  const name = domain.toLowerCase()
  if (!domainName.test(name)) {
    throw badOption(
      'domain',
      'The setting "domain" is no domain. Give its name alone, as "pier9.ngrok.app": no https://, no port, no path.',
    )
  }
  return { domain: name }
}

const provider: TunnelProvider = {
  id: 'ngrok',
  label: 'ngrok',
  about: "A tunnel of ngrok's, by its program ngrok. It needs an account there.",
  fields,
  notes: [
    'The authtoken of your account is set up in ngrok itself, by "ngrok config add-authtoken". Tabscope neither asks for it nor keeps it.',
    'With a free account browsers get a page of ngrok\'s first. Senders of webhooks do not, nor does a request with the header "ngrok-skip-browser-warning".',
    'While it runs, ngrok shows all requests including bodies on a local page (127.0.0.1:4040).',
    'Your account limits concurrent agents and monthly traffic.',
  ],
  leadsTo: 'door',
  parse(rest) {
    if (rest === '') return check({})
    return check({ domain: rest.startsWith(':') ? rest.slice(1) : rest })
  },
  check,
  look: (world) => lookForProgram(ngrok, world),
  async open(wish, world, signs, signal) {
    const options = check(wish.options)
    const opened = await openProgram(ngrok, { ...wish, options }, world, signs, signal)
    const { domain } = options
    const asAsked = domain === undefined || new URL(opened.url).hostname === domain
    return { ...opened, asked: asAsked ? null : domain, again: null }
  },
}
export default provider
