import { afterAll, expect, it } from 'vitest'
import {
  contrastFaults,
  forcedColourFaults,
  keyboardFaults,
  motionFaults,
  outlineFaults,
  reflowFaults,
} from '../../support/page-probes.ts'
import { closeBrowser, openOwnPage } from '../../support/product.ts'

afterAll(closeBrowser)

/** A page with one of each fault. */
const bad = `<title>Elsewhere</title>
<style>
  body { margin: 0; background: #fff }
  .moves { transition: color 1s }
  .pale { color: #999 }
  .wide { width: 2000px }
  .clipped { width: 60px; overflow: hidden; white-space: nowrap }
  .above { position: fixed; left: 0; top: 200px; width: 200px; height: 60px; background: #fff }
  .below { position: fixed; left: 10px; top: 210px }
  .sideways { width: 200px; overflow: auto }
  .sideways > p { width: 400px }
  .ended { display: flex; align-items: end; height: 40px; overflow: auto }
  .ended > p { height: 100px }
  .squeezed { width: 30px }
  .bare:focus { outline: none }
  button { forced-color-adjust: none; background: #fff; color: #000; border: 1px solid #000 }
  .lost { color: #fff }
  .plated { background: CanvasText; color: Canvas }
</style>
<main>
  <h1>One</h1>
  <h3>Three</h3>
  <p class="pale moves">Pale</p>
  <p class="clipped">What goes on and on and is cut without a sign</p>
  <div class="wide">Wide</div>
  <div class="sideways" tabindex="0"><p>Sideways</p></div>
  <div class="ended" tabindex="0"><p>Ended</p></div>
  <p class="squeezed">A sentence of more words than one can put into so narrow a column</p>
  <button tabindex="2">First</button>
  <button class="bare">Bare</button>
  <div><button aria-pressed="true">On</button><button aria-pressed="false">Off</button></div>
  <button class="lost">Lost</button>
  <p class="plated">Plated</p>
  <span class="tag">Tag</span>
  <button class="below">Under</button>
  <div class="above"></div>
  <div id="trap"><button>Trap</button></div>
  <button>Behind</button>
</main>`

it('each probe finds its fault in a page with every fault', async () => {
  await using watched = await openOwnPage('about:blank', { viewport: { width: 720, height: 450 } })
  const { page } = watched
  await page.setContent(bad)
  const outline = await outlineFaults(page, 'Here')
  expect(outline).toContain('h3 "Three" comes under level 1')
  expect(outline).toContain('the title is Elsewhere')
  expect(outline).toContain('button "First" jumps the order')
  expect(await motionFaults(page)).toEqual(['p.pale "Pale" changes by and by'])
  expect(await contrastFaults(page, 7)).toContain('p.pale "Pale" has 2.85')
  const reflow = await reflowFaults(page)
  expect(reflow[0]).toMatch(/^the page is 2000 by/)
  expect(reflow).toContain('button.below "Under" lies under div.above ""')
  expect(reflow).toContain('div.sideways "Sideways" is scrolled sideways, 400 in 200')
  expect(reflow.some((fault) => /^p "Ended" begins \d+ above/.test(fault))).toBe(true)
  expect(reflow.some((fault) => /^p\.squeezed .* is squeezed to 30$/.test(fault))).toBe(true)
  expect(reflow.some((fault) => fault.startsWith('p.clipped "What goes on'))).toBe(true)
  expect(await keyboardFaults(page)).toContain('button.bare "Bare" shows no focus')
  await page.emulateMedia({ forcedColors: 'active' })
  const forced = await forcedColourFaults(page)
  expect(forced).toContain('button "On" looks like button "Off"')
  expect(forced).toContain('button.lost "Lost" cannot be read')
  expect(forced).toContain('p.plated "Plated" cannot be read')
  expect(forced).toContain('span.tag "Tag" has no frame')
  await page.evaluate(() => {
    document.querySelector('#trap')?.addEventListener('keydown', (event) => event.preventDefault())
  })
  expect(await keyboardFaults(page)).toContain('button "Behind" is never reached')
})
