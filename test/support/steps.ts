import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from 'playwright-core'
import { z } from 'zod'
import type { TunnelStateName } from '#contract/tunnel.ts'
import { goTo } from './product.ts'

// Steps that several journeys take.

/** Presses "Authorize" and opens the authorization page in a separate page, as a user would. */
export async function openAuthorization(page: Page): Promise<Page> {
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const link = page.getByRole('link', { name: 'Open authorization page' })
  const opened = page.context().waitForEvent('page')
  await link.click()
  const theirs = await opened
  await theirs.getByRole('button', { name: 'Approve' }).waitFor()
  return theirs
}

/** A complete run with the sandbox: the first user approves. Ends on the record. */
export async function authorize(page: Page): Promise<void> {
  await goTo(page, 'Authorization', 'Authorize')
  const theirs = await openAuthorization(page)
  await theirs.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Token received').waitFor()
  await theirs.close()
}

export async function show(page: Page, name: 'Authorize' | 'Tokens' | 'Refresh' | 'Integration') {
  await page
    .getByRole('navigation', { name: 'Tabs of Authorization' })
    .getByRole('link', { name })
    .click()
}

/** The text on the clipboard. The page needs `clipboard`. */
export function clipboardOf(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

export const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

export function exportDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Export/ }).first()
}

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

export function tunnelChip(page: Page): Locator {
  return page.getByTestId('reach-chip')
}

export async function waitForTunnelState(page: Page, state: TunnelStateName): Promise<void> {
  await tunnelChip(page)
    .and(page.locator(`[data-state="${state}"]`))
    .waitFor()
}
