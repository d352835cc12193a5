import { refreshAddress, setupAddress } from '../authorization/address.ts'

/** What is set on other pages, and looked for under the settings nevertheless. `card`: what that page is called. */
export const settingsElsewhere = [
  {
    card: 'Endpoints',
    label: 'Webhook secret',
    hint: 'The secret that signatures are checked with, of each endpoint.',
    words: 'signature hmac key rotate previous verify',
    address: '#/endpoints',
  },
  {
    card: 'Endpoints',
    label: 'Custom headers and application ID',
    hint: 'What each delivery should carry, of each endpoint.',
    words: 'expected header client',
    address: '#/endpoints',
  },
  {
    card: 'Endpoints',
    label: 'Response rules',
    hint: 'What is answered in place of the usual 200.',
    words: 'status fail error 500 delay timeout drop answer simulate',
    address: '#/endpoints',
  },
  {
    card: 'Endpoints',
    label: 'Forward targets',
    hint: 'Where deliveries are sent on to, as they arrive.',
    words: 'proxy pass through relay upstream application',
    address: '#/endpoints',
  },
  {
    card: 'Authorization',
    label: 'Brand and base URL',
    hint: 'Of the integration: what headers begin with, and where the service is.',
    words: 'setup service host environment staging production',
    address: setupAddress,
  },
  {
    card: 'Authorization',
    label: 'Access ID and secret',
    hint: 'As what the integration authorizes.',
    words: 'setup client credentials oauth key',
    address: setupAddress,
  },
  {
    card: 'Authorization',
    label: 'Redirect URLs',
    hint: 'Where the service sends people back to.',
    words: 'setup callback oauth return loopback',
    address: setupAddress,
  },
  {
    card: 'Authorization',
    label: 'Refresh rule',
    hint: 'How a token is made to last, which the document does not say.',
    words: 'token renew expire automatic',
    address: refreshAddress,
  },
  {
    card: 'Tunnel',
    label: 'Tunnel provider',
    hint: 'By what the listener is reached from outside.',
    words: 'localtunnel cloudflared ngrok public address subdomain expose',
    address: '#/tunnel',
  },
  {
    card: 'Sandbox',
    label: 'Sandbox deliveries',
    hint: 'To which endpoint they go, by which way, and how many a second.',
    words: 'samples evening rate traffic',
    address: '#/sandbox',
  },
  {
    card: 'Sandbox',
    label: 'Sandbox faults and token lifetime',
    hint: 'How the service in miniature misbehaves.',
    words: 'error simulate expire revoke',
    address: '#/sandbox',
  },
  {
    card: 'Event logs',
    label: 'Redaction rules',
    hint: 'What every export takes out, beside what is known to be secret.',
    words: 'redact privacy personal data guest remove mask',
    address: '#/logs',
  },
] as const
