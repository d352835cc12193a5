import { routes } from '../platform/routes.ts'
import type { AssistantCalls } from './calls.ts'

export const assistantRoutes = routes<AssistantCalls>()({
  'assistants.begin': (calls, input) => calls.begin(input),

  'assistants.end': (calls, input) => {
    calls.end(input)
    return {}
  },

  'assistants.send': (calls, input) => calls.send(input),
  'assistants.rehearse': (calls, input) => calls.rehearse(input),

  'assistants.shown': ({ requests }, { id }) => {
    requests.shown(id)
    return {}
  },

  'assistants.decide': ({ requests }, { id, allowed }) => {
    requests.decide(id, allowed ? 'allowed' : 'declined')
    return {}
  },

  'assistants.list': (calls) => calls.list(),
})
