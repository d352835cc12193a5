import type { CapabilityName } from '#contract/host.ts'
import type { Settings } from '#contract/models.ts'
import { settingAddress } from '#client/addresses/pages.ts'
import { refreshAddress, setupAddress } from '#client/addresses/authorization.ts'

/** Settings on other pages that the search on the settings page also finds. `card`: the name of the page. */
const settingsElsewhere: readonly (SettingEntry & {
  readonly address: string
  /** The label of the field to focus. */
  readonly field?: string
})[] = [
  {
    card: 'Endpoints',
    label: 'Webhook secret',
    hint: 'The secret that verifies signatures, for each endpoint.',
    words: 'signature hmac key rotate previous verify',
    address: '#/setup/endpoints',
  },
  {
    card: 'Endpoints',
    label: 'Custom headers and application ID',
    hint: 'What each delivery must contain, for each endpoint.',
    words: 'expected header client',
    address: '#/setup/endpoints',
  },
  {
    card: 'Endpoints',
    label: 'Response rules',
    hint: 'Responses other than the default 200.',
    words: 'status fail error 500 delay timeout drop answer simulate',
    address: '#/setup/endpoints',
  },
  {
    card: 'Endpoints',
    label: 'Forward targets',
    hint: 'Where deliveries are forwarded on arrival.',
    words: 'proxy pass through relay upstream application',
    address: '#/setup/endpoints',
  },
  {
    card: 'Authorization',
    label: 'Brand and base URL',
    hint: 'The word in header names, and the address of the service.',
    words: 'setup service host environment staging production',
    address: setupAddress,
    field: 'Brand',
  },
  {
    card: 'Authorization',
    label: 'Access ID and secret',
    hint: 'The credentials of the integration.',
    words: 'setup client credentials oauth key',
    address: setupAddress,
    field: 'Access ID',
  },
  {
    card: 'Authorization',
    label: 'Redirect URLs',
    hint: 'Where the service redirects users.',
    words: 'setup callback oauth return loopback',
    address: setupAddress,
  },
  {
    card: 'Authorization',
    label: 'Refresh rule',
    hint: 'How tokens are refreshed. Not described in the API documentation.',
    words: 'token renew expire automatic',
    address: refreshAddress,
  },
  {
    card: 'Reachability',
    label: 'Tunnel provider',
    hint: 'The program that makes the listener reachable from the internet.',
    words: 'localtunnel cloudflared ngrok public address subdomain expose',
    address: '#/setup/reach',
  },
  {
    card: 'Sandbox',
    label: 'Sandbox deliveries',
    hint: 'Target endpoint, delivery path and rate.',
    words: 'samples rate traffic',
    address: '#/setup/sandbox',
  },
  {
    card: 'Sandbox',
    label: 'Sandbox faults and token lifetime',
    hint: 'Simulated errors of the sandbox service.',
    words: 'error simulate expire revoke',
    address: '#/setup/sandbox',
  },
  {
    card: 'Event logs',
    label: 'Redaction',
    hint: 'Fields that every export keeps or masks.',
    words: 'redact privacy personal data guest remove mask keep field alias rule',
    address: '#/logs',
  },
  {
    card: 'Assistants',
    label: 'Access of coding assistants',
    hint: 'Whether coding assistants may read deliveries with tabscope mcp.',
    words: 'mcp agent ai llm claude cursor copilot',
    stored: 'assistantAccess',
    address: '#/setup/assistants',
  },
  {
    card: 'Assistants',
    label: 'Targets of coding assistants',
    hint: 'Where coding assistants may ask to send, by name.',
    words: 'mcp agent ai send allow handler',
    stored: 'assistantTargets',
    address: '#/setup/assistants',
  },
]

/** A setting, or a value to look up. */
export interface SettingEntry {
  readonly label: string
  /** Empty if the label is sufficient. */
  readonly hint: string
  /** Other words that the search matches. */
  readonly words: string
  /** The card or page of the setting. */
  readonly card: string
  /** The key in the contract's settings. */
  readonly stored?: keyof Settings
  /** The capability that the host must have. */
  readonly needs?: CapabilityName
}

/** Everything on the settings page, by the name in its URL. The page only shows these labels and hints. */
export const settingsHere = {
  theme: {
    card: 'Appearance',
    label: 'Theme',
    hint: 'Light, dark or the system setting.',
    words: 'appearance colour color mode night day contrast',
    stored: 'theme',
  },
  port: {
    card: 'Listener',
    label: 'Port',
    hint: '0 lets the system assign a port.',
    words: 'listener address 127.0.0.1 localhost restart webhook',
    stored: 'listenerPort',
  },
  'body-limit': {
    card: 'Listener',
    label: 'Body limit',
    hint: 'Larger bodies get 413, and only their first 64 KiB are stored.',
    words: 'size largest maximum bytes mib too large payload',
    stored: 'bodyLimit',
  },
  'keep-deliveries': {
    card: 'Retention',
    label: 'Keep at most',
    hint: '',
    words: 'retention number count history old oldest delete deliveries',
    stored: 'keepDeliveries',
  },
  'keep-bytes': {
    card: 'Retention',
    label: 'Maximum disk space',
    hint: '',
    words: 'retention disk room space size gib storage keep',
    stored: 'keepBytes',
  },
  'keep-days': {
    card: 'Retention',
    label: 'Delete after',
    hint: 'Empty: deliveries are kept at any age. They can contain data of guests: 30 days are enough to look into most problems.',
    words: 'retention age days old privacy personal guest data gdpr keep',
    stored: 'keepDays',
  },
  proxy: {
    card: 'Network',
    label: 'Proxy',
    hint: '“system” uses HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or in the desktop app the proxy of the operating system. “none” connects directly. Or enter the URL of an HTTP proxy, such as http://proxy.example:3128.',
    words: 'network http https connect company firewall internet environment variable',
    stored: 'proxy',
  },
  'ca-file': {
    card: 'Network',
    label: 'CA file',
    hint: 'Complete path of a PEM file. Its certificates are trusted in addition to those of the system. Empty: none.',
    words: 'network tls ssl certificate authority self-signed root trust company pem',
    stored: 'caFile',
  },
  background: {
    card: 'Desktop',
    label: 'Keep capturing in the background',
    hint: 'When you close the window, Tabscope keeps running in the tray.',
    words: 'tray close window quit minimize minimise menu bar',
    stored: 'background',
    needs: 'background',
  },
  'prevent-sleep': {
    card: 'Desktop',
    label: 'Keep the computer awake',
    hint: 'While a tunnel is open or a job runs. The display may turn off. Closing the lid still suspends a laptop.',
    words: 'sleep suspend standby power saving energy idle',
    stored: 'preventSleep',
    needs: 'background',
  },
  'hardware-acceleration': {
    card: 'Desktop',
    label: 'Hardware acceleration',
    hint: 'Turn it off if the window stays empty or flickers. Applies at the next start.',
    words: 'gpu graphics driver blank black rendering disable-gpu',
    stored: 'hardwareAcceleration',
    needs: 'background',
  },
  'notify-verdicts': {
    card: 'Notifications',
    label: 'Failed signatures',
    hint: 'When a signature is invalid or missing and Tabscope is not in the foreground.',
    words: 'notify alert verdict invalid missing message sound',
    stored: 'notifyVerdicts',
    needs: 'notifications',
  },
  'notify-tunnel': {
    card: 'Notifications',
    label: 'Tunnel lost',
    hint: 'When the tunnel is no longer reachable.',
    words: 'notify alert offline disconnect message',
    stored: 'notifyTunnel',
    needs: 'notifications',
  },
  'notify-alerts': {
    card: 'Notifications',
    label: 'Alerts',
    hint: 'When an endpoint gets no deliveries, or they fail or arrive late, unlike usual.',
    words: 'notify alert health silence failures delay message',
    stored: 'notifyAlerts',
    needs: 'notifications',
  },
  updates: {
    card: 'Updates',
    label: 'New versions',
    hint: 'Only asks the release server for the latest version.',
    words: 'update upgrade release download automatic install',
    stored: 'updates',
  },
  clear: {
    card: 'Deliveries',
    label: 'Clear deliveries',
    hint: 'Deletes all deliveries that are not pinned. This cannot be undone.',
    words: 'delete remove empty wipe reset',
  },
  backup: {
    card: 'Backup',
    label: 'Back up',
    hint: 'Deliveries and configuration in one file. Secrets stay encrypted. To restore it: tabscope restore FILE',
    words: 'copy save restore export move computer',
  },
  version: {
    card: 'About',
    label: 'Version',
    hint: 'Versions of Tabscope and its dependencies, to copy into a bug report.',
    words: 'about electron chromium node sqlite release copy bug report',
  },
  'data-folder': {
    card: 'About',
    label: 'Data folder',
    hint: 'Where deliveries and settings are stored.',
    words: 'path directory store database sqlite place',
  },
  'log-file': {
    card: 'About',
    label: 'Tabscope log',
    hint: 'Events in Tabscope itself. Contains no secrets or bodies.',
    words: 'folder trouble diagnose debug support path',
  },
  licences: {
    card: 'About',
    label: 'Licenses',
    hint: 'The licenses of Tabscope and its dependencies.',
    words: 'licenses open source notices legal third party',
  },
} as const satisfies Record<string, SettingEntry>

export type SettingName = keyof typeof settingsHere

export interface PlacedSetting extends SettingEntry {
  readonly name: string
  readonly address: string
  readonly here: boolean
  readonly field?: string
}

/** All settings: those of the page in order, then those of other pages. */
export const allSettings: readonly PlacedSetting[] = [
  ...Object.entries<SettingEntry>(settingsHere).map(([name, entry]) => ({
    ...entry,
    name,
    address: settingAddress(name),
    here: true,
  })),
  ...settingsElsewhere.map((entry) => ({ ...entry, name: entry.label, here: false })),
]
