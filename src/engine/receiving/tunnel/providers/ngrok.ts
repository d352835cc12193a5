import { badOption, tidyOptions } from '../options.ts'
import { detectProgram } from '../program/find.ts'
import { ngrok } from '../program/ngrok.ts'
import { openProgram } from '../program/open.ts'
import type { TunnelProvider } from '../provider.ts'

const fields = [
  {
    name: 'domain',
    label: 'Domain',
    placeholder: 'pier9.ngrok.app',
    hint: 'A domain of your ngrok account, without https://. Leave it empty to let ngrok choose one.',
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
      'The option "domain" is not a domain name. Enter the name alone, such as "pier9.ngrok.app", without https://, port or path.',
    )
  }
  return { domain: name }
}

const provider: TunnelProvider = {
  id: 'ngrok',
  label: 'ngrok',
  about: 'An ngrok tunnel, opened with the program ngrok. It requires an ngrok account.',
  fields,
  notes: [
    'Set up the authtoken of your account in ngrok itself, with "ngrok config add-authtoken". Tabscope does not need or store it.',
    'With a free account, ngrok shows browsers a page of its own first. Webhook senders and requests with the header "ngrok-skip-browser-warning" are not affected.',
    'While it runs, ngrok shows all requests, including bodies, on a local page (127.0.0.1:4040).',
    'Your account limits concurrent agents and monthly traffic.',
  ],
  target: 'tunnel-listener',
  parse(rest) {
    if (rest === '') return check({})
    return check({ domain: rest.startsWith(':') ? rest.slice(1) : rest })
  },
  check,
  detect: (dependencies) => detectProgram(ngrok, dependencies),
  async open(request, dependencies, events, signal) {
    const options = check(request.options)
    const opened = await openProgram(ngrok, { ...request, options }, dependencies, events, signal)
    const { domain } = options
    const isAsRequested = domain === undefined || new URL(opened.url).hostname === domain
    return { ...opened, requestedName: isAsRequested ? null : domain, nextName: null }
  },
}
export default provider
