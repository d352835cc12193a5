import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { openService } from '#sandbox/service/service.ts'
import { axeFaults } from '../../support/axe.ts'
import { sampleRehearsal } from '../../support/event-log/sample-rehearsal.ts'
import { everyPage } from '../../support/states/every-page.ts'
import { eveningItems, writePage } from '../../support/log-page.ts'
import { openFile } from '../../support/opened-file.ts'
import { browser, openOwnPage, type OpenedPage } from '../../support/product.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { openSubjects, visit, type OpenedSubjects } from '../../support/states/chapter.ts'
import { fill } from '../../support/states/deliveries.ts'
import { simulatedStates } from '../../support/states/simulated.ts'

// Each page of the interface once, in a wide window in the light theme. `every-page.full.test.ts` has each state.

async function check(page: Page, name: string): Promise<void> {
  expect.soft(await axeFaults(page), name).toEqual([])
}

/** One product and one page for all chapters: reaching a state takes longer than checking it. */
describe('has no axe violations', () => {
  let subjects: OpenedSubjects
  let page: OpenedPage
  beforeAll(async () => {
    subjects = await openSubjects()
    page = await openOwnPage(subjects.product.ui)
  })
  afterAll(async () => {
    await page.context().close()
    await subjects[Symbol.asyncDispose]()
  })

  it('on any page', async () => {
    await fill(subjects)
    for (const [name, states] of Object.entries(everyPage)) {
      await visit({ name, states }, subjects, page, (state) => check(page, state))
    }
    expect(page.faults).toEqual([])
  })

  it('while it is not connected', async () => {
    await subjects.product.stop()
    await page.getByText('Not connected to Tabscope.').first().waitFor()
    await check(page, 'not connected')
  })
})

it.runIf(full)(
  'has no axe violations with any state of the tunnel, of exports and of updates',
  async () => {
    await using subjects = await openSubjects()
    await using page = await openOwnPage('about:blank')
    await simulatedStates(page, subjects.product, (name) => check(page, name))
  },
)

it('has no axe violations on an exported page', async () => {
  const runs = [1, 2].flatMap((id) => sampleRehearsal('text', { id }))
  const items = [...runs, ...eveningItems(60)]
  await using file = await openFile(writePage(tempFolder(), 'axe', items))
  await file.page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
  await check(file.page, 'page')
  expect(file.faults).toEqual([])
})

it('has no axe violations on the pages of the sandbox', async () => {
  const redirectUrl = 'http://127.0.0.1:9/callback'
  await using stack = new AsyncDisposableStack()
  const service = await openService({ redirectUrls: [redirectUrl] })
  stack.defer(() => service.close())
  const { baseUrl, accessId } = service.state()
  const query = new URLSearchParams({
    response_type: 'code',
    access_id: accessId,
    redirect_url: redirectUrl,
    state: 'a state',
  })
  // Not a watched page: a rejected request is an error to the browser.
  await using context = await (await browser()).newContext()
  const page = await context.newPage()
  await page.goto(`${baseUrl}/manager/oauth?${query.toString()}`)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await check(page, 'authorization')
  await page.goto(`${baseUrl}/manager/oauth?redirect_url=http://127.0.0.1:5000/other`)
  await page.getByRole('heading', { name: 'Invalid authorization request' }).waitFor()
  await check(page, 'invalid request')
})
