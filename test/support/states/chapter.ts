import type { Page } from 'playwright-core'
import { startConsoleService, type ConsoleService } from '../console-service.ts'
import { reach, type State } from './every-page.ts'
import { loopbackService, type LoopbackService } from '../loopback-service.ts'
import { startProduct, type Product } from '../product.ts'

export interface Subjects {
  readonly product: Product
  /** The integration's service, for the API console. */
  readonly service: ConsoleService
  /** Responds with 500 to CLOSE_TAB, and with 200 otherwise. */
  readonly handler: LoopbackService
}

export interface Chapter {
  readonly name: string
  readonly prepare?: (subjects: Subjects, page: Page) => Promise<unknown>
  readonly states: readonly State[]
}

export const secret = 'axe-secret-0123456789'

export const row = (page: Page, index: number) => page.getByTestId('delivery-row').nth(index)
export const dialog = (page: Page) => page.getByRole('dialog')
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name }).first().waitFor()
export const escape = (page: Page): Promise<void> => page.keyboard.press('Escape')

export async function closeDialog(page: Page): Promise<void> {
  await escape(page)
  await dialog(page).waitFor({ state: 'detached' })
}

export function state(
  name: string,
  more: Pick<State, 'hash' | 'leave'>,
  reach: NonNullable<State['reach']>,
): State {
  return { name, reach, ...more }
}

export function byButton(name: string | RegExp, hash?: string): State {
  return {
    name: `dialog of ${String(name)}`,
    ...(hash === undefined ? {} : { hash }),
    reach: async (page) => {
      await button(page, name).first().click()
      await dialog(page).waitFor()
    },
    leave: closeDialog,
  }
}

export function byKey(name: string, key: string, hash: string): State {
  return {
    name,
    hash,
    reach: async (page) => {
      await page.keyboard.press(key)
      await dialog(page).waitFor()
    },
    leave: closeDialog,
  }
}

export type OpenedSubjects = Subjects & AsyncDisposable

export async function openSubjects(): Promise<OpenedSubjects> {
  const stack = new AsyncDisposableStack()
  const product = stack.use(await startProduct({ secret }))
  const service = stack.use(await startConsoleService())
  const handler = stack.use(
    await loopbackService((request, response) => {
      const status = request.body.includes('CLOSE_TAB') ? 500 : 200
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"a":1}')
    }),
  )
  return { product, service, handler, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

export async function visit(
  { name, prepare, states }: Chapter,
  subjects: Subjects,
  page: Page,
  check: (name: string) => Promise<void>,
): Promise<void> {
  await prepare?.(subjects, page)
  for (const state of states) {
    try {
      await reach(page, state)
      await check(state.name)
      await state.leave?.(page)
    } catch (error) {
      throw new Error(`${name}: ${state.name}`, { cause: error })
    }
  }
}
