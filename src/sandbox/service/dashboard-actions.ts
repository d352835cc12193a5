import { SandboxError } from '../errors.ts'
import { allTypes } from '../steps.ts'
import { applyChange, type ServiceContext } from './context.ts'
import { parseFaults } from './faults.ts'
import { delay } from '#shared/async/retry.ts'

/** The id of a dashboard section. */
export type Section = 'redirect-urls' | 'webhooks' | 'tokens' | 'faults'

/** The action of a dashboard form. */
export interface Action {
  readonly section: Section
  /** Message shown after success. */
  readonly success: string
  /** Throws `SandboxError`, whose message is shown. */
  readonly run: (
    context: ServiceContext,
    form: URLSearchParams,
    signal: AbortSignal,
  ) => Promise<void> | void
}

/** Milliseconds that a page waits for deliveries. Slower deliveries continue, and appear after a reload. */
const waitLimit = 2000

const noWebhook = 'No webhook is configured. Add one first.'

const field = (form: URLSearchParams, name: string) => (form.get(name) ?? '').trim()

const numberIn = (form: URLSearchParams, name: string) => {
  const text = field(form, name)
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

async function send(
  context: ServiceContext,
  types: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (context.webhooks.list().length === 0) throw new SandboxError('bad_target', noWebhook)
  const finished = new AbortController()
  try {
    await Promise.race([
      context.webhooks.send(types),
      delay(context.clock, waitLimit, AbortSignal.any([signal, finished.signal])),
    ])
  } finally {
    finished.abort()
  }
}

/** All dashboard actions, by the last segment of their path. */
export const actions = {
  'add-redirect-url': {
    section: 'redirect-urls',
    success: 'Redirect URL added.',
    run: (context, form) =>
      applyChange(context, { redirectUrls: [...context.redirectUrls, field(form, 'url')] }),
  },
  'remove-redirect-url': {
    section: 'redirect-urls',
    success: 'Redirect URL removed.',
    run: (context, form) =>
      applyChange(context, {
        redirectUrls: context.redirectUrls.filter((url) => url !== form.get('url')),
      }),
  },
  'add-webhook': {
    section: 'webhooks',
    success: 'Webhook added.',
    run: (context, form) => {
      context.webhooks.add(field(form, 'url'), form.get('secret'))
      context.touch()
    },
  },
  'remove-webhook': {
    section: 'webhooks',
    success: 'Webhook removed.',
    run: async (context, form) => {
      await context.webhooks.remove(numberIn(form, 'id'))
      context.touch()
    },
  },
  'send-type': {
    section: 'webhooks',
    success: 'Sent a sample to each webhook.',
    run: (context, form, signal) => send(context, [field(form, 'type')], signal),
  },
  'send-all': {
    section: 'webhooks',
    success: 'Sent one sample of each type to each webhook.',
    run: (context, _form, signal) => send(context, allTypes(), signal),
  },
  'start-evening': {
    section: 'webhooks',
    success: 'Simulated traffic started.',
    run: async (context, form) => {
      if (context.webhooks.list().length === 0) throw new SandboxError('bad_target', noWebhook)
      await context.webhooks.startEvening(numberIn(form, 'rate'))
      context.touch()
    },
  },
  'stop-evening': {
    section: 'webhooks',
    success: 'Simulated traffic stopped.',
    run: async (context) => {
      await context.webhooks.stop()
      context.touch()
    },
  },
  'revoke-token': {
    section: 'tokens',
    success: 'All tokens of this approval revoked.',
    run: (context, form) => {
      context.grants.revoke(numberIn(form, 'id'))
      context.touch()
    },
  },
  'revoke-all': {
    section: 'tokens',
    success: 'All access tokens and refresh tokens revoked.',
    run: (context) => {
      context.grants.revokeAll()
      context.touch()
    },
  },
  'expire-all': {
    section: 'tokens',
    success: 'All access tokens expired. Refresh tokens remain valid.',
    run: (context) => {
      context.grants.expireAll()
      context.touch()
    },
  },
  'set-lifetime': {
    section: 'tokens',
    success: 'Token lifetime saved. It applies to new tokens.',
    run: (context, form) => applyChange(context, { tokenLifetime: numberIn(form, 'seconds') }),
  },
  'set-faults': {
    section: 'faults',
    success: 'Faults saved.',
    run: (context, form) => applyChange(context, { faults: parseFaults(form.getAll('fault')) }),
  },
} as const satisfies Readonly<Record<string, Action>>

export type ActionName = keyof typeof actions

/** Path to which the form of an action is posted. */
export function actionPath(name: ActionName): string {
  return `/dashboard/${name}`
}
