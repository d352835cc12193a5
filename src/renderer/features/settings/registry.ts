import type { CapabilityName } from '#contract/host.ts'
import type { Settings } from '#contract/models.ts'
import { settingAddress } from './address.ts'
import { refreshAddress, setupAddress } from '../authorization/address.ts'

/** What is set on other pages, and looked for under the settings nevertheless. `card`: what that page is called. */
const settingsElsewhere = [
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

/** One thing that can be set, or looked up, as it is called where it stands. */
export interface SettingEntry {
  readonly label: string
  /** Empty: it says all by itself. */
  readonly hint: string
  /** Other words by which people look for it. */
  readonly words: string
  /** The card that it stands on, or the page. */
  readonly card: string
  /** What of the contract's settings it is. */
  readonly stored?: keyof Settings
  /** Only where the host can. */
  readonly needs?: CapabilityName
}

/** Everything on the settings page, by the name that its address has. The page draws these labels and hints and no others. */
export const settingsHere = {
  theme: {
    card: 'Appearance',
    label: 'Theme',
    hint: 'Light, dark, or whatever the system has.',
    words: 'appearance colour color mode night day contrast',
    stored: 'theme',
  },
  port: {
    card: 'Listener',
    label: 'Port',
    hint: '0 lets the system choose.',
    words: 'listener address 127.0.0.1 localhost restart webhook',
    stored: 'listenerPort',
  },
  'body-limit': {
    card: 'Listener',
    label: 'Body limit',
    hint: 'Over it the answer is 413, and only the first 64 KiB are kept.',
    words: 'size largest maximum bytes mib too large payload',
    stored: 'bodyLimit',
  },
  'keep-deliveries': {
    card: 'Keeping',
    label: 'Keep at most',
    hint: '',
    words: 'retention number count history old oldest delete deliveries',
    stored: 'keepDeliveries',
  },
  'keep-bytes': {
    card: 'Keeping',
    label: 'And at most',
    hint: '',
    words: 'retention disk room space size gib storage keep',
    stored: 'keepBytes',
  },
  background: {
    card: 'Desktop',
    label: 'Keep capturing in the background',
    hint: 'Closing the window leaves Tabscope in the tray, where it says how it is.',
    words: 'tray close window quit minimize minimise menu bar',
    stored: 'background',
    needs: 'background',
  },
  'open-at-login': {
    card: 'Desktop',
    label: 'Open when you log in',
    hint: 'With the computer, and without taking the screen.',
    words: 'start startup autostart launch boot login',
    stored: 'openAtLogin',
    needs: 'loginItem',
  },
  'notify-verdicts': {
    card: 'Notifications',
    label: 'Signatures that fail',
    hint: 'Of a delivery whose signature is invalid or missing, while Tabscope is not in front.',
    words: 'notify alert verdict invalid missing message sound',
    stored: 'notifyVerdicts',
    needs: 'notifications',
  },
  'notify-tunnel': {
    card: 'Notifications',
    label: 'A lost tunnel',
    hint: 'Of a tunnel through which nothing comes any more.',
    words: 'notify alert offline disconnect message',
    stored: 'notifyTunnel',
    needs: 'notifications',
  },
  updates: {
    card: 'Updates',
    label: 'New versions',
    hint: 'The release server is asked for nothing but what is newest.',
    words: 'update upgrade release download automatic install',
    stored: 'updates',
  },
  clear: {
    card: 'Deliveries',
    label: 'Clear deliveries',
    hint: 'All that are not pinned go for good.',
    words: 'delete remove empty wipe reset',
  },
  guide: {
    card: 'Guided start',
    label: 'Guided start',
    hint: 'Through the first minutes, with the sandbox or with an integration of your own. It is shown only when it is asked for.',
    words: 'help tutorial tour first steps onboarding welcome introduction',
    stored: 'guide',
  },
  version: {
    card: 'About',
    label: 'Version',
    hint: 'Of Tabscope and of what it is made of, to copy into a report.',
    words: 'about electron chromium node sqlite release copy bug report',
  },
  'data-folder': {
    card: 'About',
    label: 'Data folder',
    hint: 'Where deliveries and settings are kept.',
    words: 'path directory store database sqlite place backup',
  },
  'log-file': {
    card: 'About',
    label: 'Tabscope’s own log',
    hint: 'What happened in Tabscope itself. Never a secret, never a body.',
    words: 'folder trouble diagnose debug support path',
  },
  licences: {
    card: 'About',
    label: 'Licences',
    hint: 'Of Tabscope and of all that it is made of.',
    words: 'licenses open source notices legal third party',
  },
} as const satisfies Record<string, SettingEntry>

export type SettingName = keyof typeof settingsHere

export interface PlacedSetting extends SettingEntry {
  readonly name: string
  /** Where it is set. */
  readonly address: string
  /** It stands on the settings page. */
  readonly here: boolean
}

/** All settings there are: those of the page in its order, then those of other pages. */
export const allSettings: readonly PlacedSetting[] = [
  ...Object.entries<SettingEntry>(settingsHere).map(([name, entry]) => ({
    ...entry,
    name,
    address: settingAddress(name),
    here: true,
  })),
  ...settingsElsewhere.map((entry) => ({ ...entry, name: entry.label, here: false })),
]
