import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { traffic } from '#sandbox/traffic.ts'
import { compose } from '#sandbox/request.ts'
import { Sender } from '#sandbox/sender.ts'
import { everyPage } from './every-page.ts'
import { deliver, endBrowser, goTo, openOwnPage, openPage, startProduct } from '../product.ts'
import { openSubjects, secret, visit } from './chapter.ts'
import { deliveryChapters } from './deliveries.ts'
import { pageChapters } from './pages.ts'
import { simulatedStates } from './simulated.ts'

/** Names of the pictures. The module takes them when it is imported: of the README, or of every state into the folder of the command line. */
export const taken: string[] = []

const [folder] = process.argv.slice(2)
if (folder === undefined) await takeReadmePicture('resources/screenshots/deliveries-light.png')
else await takePictures(folder)
await endBrowser()

/** Takes a picture of every state, as `NUMBER-STATE-THEME.png`. */
async function takePictures(into: string): Promise<void> {
  mkdirSync(into, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await using subjects = await openSubjects()
    await using page = await openPage(subjects.product.ui, { colorScheme })
    await using empty = await startProduct()
    await using simulated = await openOwnPage('about:blank', { colorScheme })
    let number = 0
    const take = async (of: Page, name: string): Promise<void> => {
      number += 1
      const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
      await shoot(
        of,
        path.join(into, `${String(number).padStart(3, '0')}-${words}-${colorScheme}.png`),
      )
    }
    for (const chapter of [...deliveryChapters, ...pageChapters])
      await visit(chapter, subjects, page, (name) => take(page, `${chapter.name} ${name}`))
    for (const [name, states] of Object.entries(everyPage))
      await visit({ name, states }, subjects, page, (state) => take(page, `${name} ${state}`))
    await simulatedStates(simulated, empty, (name) => take(simulated, name))
  }
}

/** Takes the picture of a list with simulated traffic, and a delivery whose secret has a line break too many. */
async function takeReadmePicture(file: string): Promise<void> {
  await using product = await startProduct({ secret })
  await using page = await openPage(product.ui)
  await using sender = new Sender()
  const target = {
    url: product.endpoint,
    brand: 'Service',
    secret,
    applicationId: '',
    customHeaders: [],
  }
  for (const step of traffic({ seed: 7, brand: 'Service', count: 84 }))
    await sender.deliver(compose(target, step.payload(new Date())))
  const order = {
    type: 'ORDER_PLACED',
    targetUuid: '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2',
    locationUuid: '109e0000-91e2-4b00-8a00-000000000009',
    locationName: 'Pier 9',
    locationId: '9',
    createdAt: new Date().toISOString(),
    data: {
      created: new Date().toISOString(),
      orderName: 'A-17',
      scheduled: false,
      zoneName: 'Patio',
      spotName: 'T4',
      zoneTags: ['outside'],
      total: 42.5,
      tabUuid: '7c1e6f0a-52cd-4b4c-8a63-2f0d9e3b5a10',
      itemNames: ['Pale Ale', 'Fries'],
      itemTags: ['draught', 'vegetarian'],
      categoryNames: ['Drinks', 'Food'],
      tipPolicy: 'auto',
    },
  }
  await deliver(product.endpoint, JSON.stringify(order), { secret: `${secret}\n` })
  await deliver(product.endpoint, 'PK\u0003\u0004 not JSON', { secret: 'another' })
  await goTo(page, 'Deliveries', 'Live')
  await page.getByTestId('delivery-row').filter({ hasText: 'Order A-17' }).first().click()
  await page.getByRole('article', { name: 'Order placed' }).waitFor()
  await page.getByText('Cause: A line break').waitFor()
  await shoot(page, file)
}

async function shoot(page: Page, file: string): Promise<void> {
  taken.push(file)
  await page.mouse.move(0, 0)
  await page.screenshot({ path: file, animations: 'disabled' })
}
