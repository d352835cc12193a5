import type { HoldState } from '#contract/hold.ts'
import { isHeader } from '../../capture/respond/rules.ts'
import { AppError } from '../../platform/errors.ts'
import { routes } from '../../platform/routes.ts'
import type { Sender } from '../sender.ts'

export interface HoldPorts {
  readonly sender: Sender
  /** Lets the capture thread know which responses wait. */
  readonly holdChanged: (state: HoldState) => Promise<void>
}

export const holdRoutes = routes<HoldPorts>()({
  'hold.state': ({ sender }) => sender.holdState(),

  'hold.add': async ({ sender, holdChanged }, input) => {
    const rule = await sender.api.call('addHold', input)
    await holdChanged(await sender.api.call('holdState'))
    return rule
  },

  'hold.stop': async ({ sender, holdChanged }, { id }) => {
    const state = await sender.api.call('stopHold', id)
    await holdChanged(state)
    return state
  },

  'hold.edit': ({ sender }, { id }) => sender.api.call('editHeld', id),

  'hold.release': async ({ sender }, { ids, content = null }) => ({
    ids: await sender.api.call('releaseHeld', { ids, content }),
  }),

  'hold.drop': async ({ sender }, { ids }) => ({ ids: await sender.api.call('dropHeld', ids) }),

  'hold.respond': async ({ sender }, { ids, ...response }) => {
    const invalid = response.headers.find((header) => !isHeader(header))
    if (invalid) {
      throw new AppError('bad_input', `The header ${JSON.stringify(invalid[0])} cannot be sent.`)
    }
    return { ids: await sender.api.call('respondHeld', { ids, response }) }
  },
})
