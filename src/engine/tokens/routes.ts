import { routes } from '../platform/routes.ts'
import type { EnginePorts } from '../platform/ports.ts'
import type { Tokens } from './tokens.ts'

export interface TokenPorts {
  readonly ports: EnginePorts
  readonly tokens: Tokens
}

export const tokenRoutes = routes<TokenPorts>()({
  'tokens.list': (context, { integrationId }) =>
    context.tokens
      .views()
      .filter((token) => integrationId === undefined || token.integrationId === integrationId),

  'tokens.label': (context, { id, label }) => context.tokens.label(id, label),
  'tokens.refresh': (context, { id }) => context.tokens.refresh(id),
  'tokens.reveal': (context, { id, which }) => ({ value: context.tokens.reveal(id, which) }),

  'tokens.copy': async (context, { id, which }) => ({
    copied: await context.ports.system.copyText(context.tokens.reveal(id, which)),
  }),

  'tokens.forget': (context, { id }) => context.tokens.forget(id),

  'tokens.remove': async (context, { id }) => {
    await context.tokens.remove(id)
    return {}
  },
})
