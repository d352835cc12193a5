import { routes } from '../platform/routes.ts'
import type { Logs } from './service.ts'

export interface EventLogPorts {
  readonly logs: Logs
}

export const eventLogRoutes = routes<EventLogPorts>()({
  'logs.formats': ({ logs }) => logs.formats(),
  'logs.preview': ({ logs }, input) => logs.preview(input),
  'logs.export': ({ logs }, input) => logs.export(input),
  'logs.pull': ({ logs }, { ticket }) => logs.pull(ticket),
  'logs.cancelExport': ({ logs }, { id }) => logs.cancelExport(id),

  'logs.dismissExport': ({ logs }, { id }) => {
    logs.dismissExport(id)
    return {}
  },

  'logs.text': ({ logs }, input) => logs.text(input),
  'logs.import': ({ logs }, input) => logs.import(input),
  'logs.feed': ({ logs }, input) => logs.feed(input),
  'logs.imported': ({ logs }, { id }) => logs.imported(id),
  'logs.cancelImport': ({ logs }, { id }) => logs.cancelImport(id),

  'logs.dismissImport': ({ logs }, { id }) => {
    logs.dismissImport(id)
    return {}
  },

  'logs.list': ({ logs }) => logs.view(),

  'logs.remove': async ({ logs }, { id }) => {
    await logs.remove(id)
    return {}
  },

  'logs.authorization': ({ logs }, { log }) => logs.authorization(log),
  'logs.setChoices': ({ logs }, input) => logs.setChoices(input),
})
