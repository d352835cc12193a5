import type { Page } from 'playwright-core'
import { download, exportDialog } from '../e2e/event-log/steps.ts'
import { goTo } from './product.ts'

/** Exports all deliveries, imports the file completely and truncated, and takes screenshots. */
export async function shootLogs(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await goTo(page, 'Event logs')
  page.on('filechooser', () => undefined)
  await page.getByRole('heading', { name: 'Drop an event log here' }).waitFor()
  await page.getByRole('button', { name: 'Export…' }).click()
  await exportDialog(page).locator('.removal').first().waitFor()
  await exportDialog(page).locator('.export-sum .log-progress').waitFor({ state: 'detached' })
  await shoot('export')
  const { name, text } = await download(page)
  const cutOff = text.split('\n').slice(0, -3).join('\n')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import…' }).click()
  await (
    await chooser
  ).setFiles(
    [
      { name: 'from-the-pub.ndjson', content: cutOff },
      { name, content: text },
    ].map((file) => ({ name: file.name, mimeType: '', buffer: Buffer.from(file.content) })),
  )
  await page.getByText('2 logs are imported.').waitFor()
  await page.getByText('2 logs are imported.').waitFor({ state: 'detached' })
  await shoot('logs')
}
