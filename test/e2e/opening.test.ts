import { afterAll, expect, it } from 'vitest'
import { browser, closeBrowser } from '../support/product.ts'
import { startCli } from '../support/run-cli.ts'
import { standInBrowser } from '../support/stand-in-browser.ts'
import { ownedFolder } from '../support/temp-folder.ts'

afterAll(closeBrowser)

// What opens an address is called `xdg-open` on Linux alone; on other systems it cannot be put in front of the real one.
it.runIf(process.platform === 'linux')(
  'the page that the browser is given connects, also after a reload; the same link says that it was used',
  async () => {
    await using folder = ownedFolder()
    const standIn = standInBrowser(folder.path)
    const args = ['serve', '--port', '0', '--ui-port', '0', '--json', '--data', folder.path]
    await using _tab = startCli(args, { env: { PATH: standIn.PATH } })
    const address = await standIn.opened()
    const context = await (await browser()).newContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(address)
    const first = page.getByRole('heading', { name: 'No deliveries yet' })
    await first.waitFor()
    expect(page.url()).not.toContain('ticket')
    await page.reload()
    await first.waitFor()

    const other = await context.newPage()
    await other.goto(address)
    await other.getByText('This link has expired or was used already.').waitFor()
    await other.getByText('Open the address that Tabscope printed in the terminal.').waitFor()
    expect(await other.getByText('Connecting to Tabscope').count()).toBe(0)
    expect(other.url()).not.toContain('ticket')
    expect(faults).toEqual([])
    await context.close()
  },
)
