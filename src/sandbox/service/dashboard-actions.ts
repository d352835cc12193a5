import { SandboxError } from '../errors.ts'
import { allTypes } from '../steps.ts'
import { applyChange, type Desk } from './desk.ts'
import { faultsNamed } from './faults.ts'
import { delay } from '#shared/async/retry.ts'

/** A part of the dashboard, by the id of its section. */
export type Section = 'redirect-urls' | 'webhooks' | 'tokens' | 'faults'

/** What a form of the dashboard does. */
export interface Action {
  readonly section: Section
  /** Said once it is done. */
  readonly did: string
  /** Throws `SandboxError`, whose sentence is shown. */
  readonly run: (desk: Desk, form: URLSearchParams, signal: AbortSignal) => Promise<void> | void
}

/** Milliseconds that a page waits for deliveries; what takes longer goes on, and shows at the next look. */
const patience = 2000

const field = (form: URLSearchParams, name: string) => (form.get(name) ?? '').trim()

const numberIn = (form: URLSearchParams, name: string) => {
  const text = field(form, name)
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

async function send(desk: Desk, types: readonly string[], signal: AbortSignal): Promise<void> {
  if (desk.webhooks.list().length === 0)
    throw new SandboxError('bad_target', 'Add a webhook first: nothing is sent without one.')
  const over = new AbortController()
  try {
    await Promise.race([
      desk.webhooks.send(types),
      delay(desk.clock, patience, AbortSignal.any([signal, over.signal])),
    ])
  } finally {
    over.abort()
  }
}

/** Every form of the dashboard, by the end of its path. */
export const actions = {
  'add-redirect-url': {
    section: 'redirect-urls',
    did: 'The redirect URL was added.',
    run: (desk, form) =>
      applyChange(desk, { redirectUrls: [...desk.redirectUrls, field(form, 'url')] }),
  },
  'remove-redirect-url': {
    section: 'redirect-urls',
    did: 'The redirect URL was removed.',
    run: (desk, form) =>
      applyChange(desk, {
        redirectUrls: desk.redirectUrls.filter((url) => url !== form.get('url')),
      }),
  },
  'add-webhook': {
    section: 'webhooks',
    did: 'The webhook was added.',
    run: (desk, form) => {
      desk.webhooks.add(field(form, 'url'), form.get('secret'))
      desk.touch()
    },
  },
  'remove-webhook': {
    section: 'webhooks',
    did: 'The webhook was removed.',
    run: async (desk, form) => {
      await desk.webhooks.remove(numberIn(form, 'id'))
      desk.touch()
    },
  },
  'send-type': {
    section: 'webhooks',
    did: 'A sample was sent to each webhook.',
    run: (desk, form, signal) => send(desk, [field(form, 'type')], signal),
  },
  'send-all': {
    section: 'webhooks',
    did: 'One sample of each type was sent to each webhook.',
    run: (desk, _form, signal) => send(desk, allTypes(), signal),
  },
  'start-evening': {
    section: 'webhooks',
    did: 'The evening has begun.',
    run: async (desk, form) => {
      if (desk.webhooks.list().length === 0)
        throw new SandboxError('bad_target', 'Add a webhook first: nothing is sent without one.')
      await desk.webhooks.startEvening(numberIn(form, 'rate'))
      desk.touch()
    },
  },
  'stop-evening': {
    section: 'webhooks',
    did: 'The evening has ended.',
    run: async (desk) => {
      await desk.webhooks.stop()
      desk.touch()
    },
  },
  'revoke-token': {
    section: 'tokens',
    did: 'All tokens of that approval were revoked.',
    run: (desk, form) => {
      desk.grants.revoke(numberIn(form, 'id'))
      desk.touch()
    },
  },
  'revoke-all': {
    section: 'tokens',
    did: 'All tokens were revoked, refresh tokens too.',
    run: (desk) => {
      desk.grants.revokeAll()
      desk.touch()
    },
  },
  'expire-all': {
    section: 'tokens',
    did: 'All access tokens have expired; their refresh tokens work.',
    run: (desk) => {
      desk.grants.expireAll()
      desk.touch()
    },
  },
  'set-lifetime': {
    section: 'tokens',
    did: 'New tokens live that long.',
    run: (desk, form) => applyChange(desk, { tokenLifetime: numberIn(form, 'seconds') }),
  },
  'set-faults': {
    section: 'faults',
    did: 'The faults were set.',
    run: (desk, form) => applyChange(desk, { faults: faultsNamed(form.getAll('fault')) }),
  },
} as const satisfies Readonly<Record<string, Action>>

export type ActionName = keyof typeof actions

/** Where the form of an action goes; the fragment leads back to its section. */
export function actionPath(name: ActionName): string {
  return `/dashboard/${name}`
}
