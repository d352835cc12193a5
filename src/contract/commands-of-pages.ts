import { inGroup } from './command.ts'

export const pageCommands = {
  ...inGroup('Send', {
    'job-pause': { keys: ['p'], label: 'Pause or resume the job', hint: 'pause or resume' },
    'job-newer': { keys: ['['], label: 'Newer job', hint: 'other job' },
    'job-older': { keys: [']'], label: 'Older job', hint: 'other job' },
    'scenario-run': { keys: ['n'], label: 'Run the scenario', hint: 'run' },
  }),
  ...inGroup('Drafts', {
    'compose-send': { keys: ['Mod+Enter'], label: 'Send the draft', hint: 'send' },
    'compose-address': { keys: ['e'], label: 'Edit the address', hint: 'address', words: 'url' },
    'compose-body': { keys: ['b'], label: 'Go to the body', hint: 'body', words: 'edit json' },
    'compose-headers': { keys: ['h'], label: 'Go to the headers', hint: 'headers', words: 'edit' },
    'compose-new': {
      keys: ['n'],
      label: 'Start a draft',
      hint: 'new draft',
      words: 'new request sample rehearse begin another',
    },
    'compose-curl': {
      keys: ['u'],
      label: 'Paste a cURL command',
      words: 'import curl request copy devtools',
    },
    'compose-drafts': { keys: ['d'], label: 'Go to the drafts', words: 'saved' },
  }),
  ...inGroup('Rehearsals', {
    'rehearsal-new': {
      keys: ['n'],
      label: 'Rehearse a handler',
      hint: 'new',
      words: 'start test webhook handler cases rehearsal new',
    },
    'rehearsal-next': { keys: ['j', 'ArrowDown'], label: 'Next case', hint: 'move' },
    'rehearsal-previous': { keys: ['k', 'ArrowUp'], label: 'Previous case', hint: 'move' },
    'rehearsal-open': { keys: ['Enter'], label: 'Go to the details of the case', hint: 'details' },
    'rehearsal-close': { keys: ['Escape'], label: 'Close the case', hint: 'close' },
    'rehearsal-copy': {
      keys: ['y'],
      label: 'Copy the command that repeats the case',
      hint: 'copy command',
      words: 'repeat cli clipboard',
    },
    'rehearsal-newer': { keys: ['['], label: 'Newer rehearsal', hint: 'other run' },
    'rehearsal-older': { keys: [']'], label: 'Older rehearsal', hint: 'other run' },
  }),
  ...inGroup('Authorization', {
    authorize: {
      keys: ['a'],
      label: 'Authorize a user',
      hint: 'authorize',
      words: 'oauth login token code flow connect',
    },
    'run-newer': { keys: ['['], label: 'Newer run', hint: 'other run' },
    'run-older': { keys: [']'], label: 'Older run', hint: 'other run' },
    'check-service': {
      keys: ['c'],
      label: 'Check the connection to the service',
      hint: 'check',
      words: 'preflight base url reachable test answers',
    },
    'integration-new': {
      keys: [],
      label: 'Create an integration',
      words: 'new add client application',
    },
  }),
  ...inGroup('API console', {
    send: { keys: ['Mod+Enter'], label: 'Send the request', hint: 'send' },
    path: { keys: ['e'], label: 'Edit the path', hint: 'path', words: 'request url call' },
    history: { keys: ['h'], label: 'Go to earlier requests', hint: 'earlier requests' },
  }),
  ...inGroup('Listener', {
    'listener-restart': {
      keys: [],
      label: 'Restart the listener',
      words: 'start port listen again',
    },
    'listener-copy': {
      keys: [],
      label: 'Copy the webhook URL',
      words: 'endpoint address local clipboard',
    },
    'endpoint-new': {
      keys: ['n'],
      label: 'Create an endpoint',
      hint: 'new endpoint',
      words: 'new add webhook hook',
    },
  }),
  ...inGroup('Tunnel', {
    'tunnel-open': {
      keys: ['o'],
      label: 'Open the tunnel',
      hint: 'open',
      words: 'start public localtunnel ngrok cloudflared expose',
    },
    'tunnel-close': { keys: [], label: 'Close the tunnel', words: 'stop end' },
    'tunnel-check': {
      keys: ['c'],
      label: 'Check or retry now',
      hint: 'check',
      words: 'probe tunnel',
    },
    'tunnel-copy': {
      keys: ['y'],
      label: 'Copy the public webhook URL',
      hint: 'copy URL',
      words: 'address clipboard',
    },
  }),
  ...inGroup('Sandbox', {
    samples: {
      keys: ['s'],
      label: 'Send one sample of each type',
      hint: 'send samples',
      words: 'test event fake example webhook',
    },
    'traffic-start': {
      keys: ['e'],
      label: 'Start simulated traffic',
      hint: 'start traffic',
      words: 'simulate load demo',
    },
    'traffic-stop': {
      keys: ['x'],
      label: 'Stop simulated traffic',
      hint: 'stop traffic',
      words: 'end simulate',
    },
  }),
  ...inGroup('Event logs', {
    'logs-import': {
      keys: ['i'],
      label: 'Import an event log',
      hint: 'import',
      words: 'open file ndjson har load',
    },
    'logs-export': {
      keys: ['s'],
      label: 'Export deliveries',
      hint: 'export',
      words: 'save file ndjson har csv html share support all',
    },
  }),
  ...inGroup('Help', {
    'help-find': {
      keys: ['/'],
      label: 'Search the user guide',
      hint: 'search',
      words: 'find help documentation manual docs',
    },
  }),
  ...inGroup('Settings', {
    'settings-find': {
      keys: ['/'],
      label: 'Find a setting',
      hint: 'find a setting',
      words: 'search preferences options',
    },
  }),
}
