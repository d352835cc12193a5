import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from 'playwright-core'
import { z } from 'zod'

/** The export dialog. */
export function exportDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Export/ }).first()
}

/** Presses the dialog's button, and returns the download. */
export async function download(page: Page): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download')
  await exportDialog(page)
    .getByRole('button', { name: /^Export \d/ })
    .click()
  const given: Download = await coming
  const text = await readFile(await given.path(), 'utf8')
  await exportDialog(page).waitFor({ state: 'detached' })
  return { name: given.suggestedFilename(), text }
}

const Line = z.looseObject({ kind: z.string() })

/** The lines of an event log by kind. */
export function linesOf(text: string, kind: string): z.infer<typeof Line>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => Line.parse(JSON.parse(line)))
    .filter((line) => line.kind === kind)
}

/** Drops files on the middle of the window, like from another application. */
export async function dropFiles(
  page: Page,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<void> {
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer()
    for (const { name, text } of given) transfer.items.add(new File([text], name))
    return transfer
  }, files)
  const over = page.locator('.shell-page')
  await over.dispatchEvent('dragover', { dataTransfer: data })
  await page.getByText('Drop to import').waitFor()
  await over.dispatchEvent('drop', { dataTransfer: data })
  await page.getByText('Drop to import').waitFor({ state: 'detached' })
}

/** The progress of exports and imports below the bar, on every page except Event logs. */
export function stripOf(page: Page): Locator {
  return page.locator('.log-strip')
}

/** The accessible name of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: at } = document
    return at?.getAttribute('aria-label') ?? at?.textContent ?? ''
  })
}
