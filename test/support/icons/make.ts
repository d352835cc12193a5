// `npm run icons`: every picture of the app's icon and of the tray from the drawings in resources/, by a real Chromium.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { launchBrowser } from '../browser.ts'
import { draw } from './draw.ts'
import { icns, icnsEdges } from './icns.ts'
import { ico } from './ico.ts'
import {
  appEdges,
  drawings,
  hashOf,
  icoEdges,
  linuxTray,
  macTray,
  readDrawing,
  resources,
  trayIcoEdges,
  trayStates,
} from './plan.ts'

/** Amber in the middle between black and white: it stands out from a light panel as from a dark one (4 to 1 each). */
const trayColour = '#c8620f'

await using browser = await launchBrowser()
const page = await browser.newPage()
const made: Record<string, string> = {}
const write = (name: string, content: Buffer): void => {
  const file = path.join(resources, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  made[name] = hashOf(content)
}
for (const folder of ['icons', 'tray/mac', 'tray/linux', 'tray/windows']) {
  rmSync(path.join(resources, folder), { recursive: true, force: true })
}

const app = readDrawing('icon.svg')
for (const edge of appEdges) {
  write(`icons/${edge}x${edge}.png`, (await draw(page, { svg: app, edge })).png)
}
write('icon.ico', ico(await all(icoEdges, (edge) => draw(page, { svg: app, edge }))))
const forMac = await all(icnsEdges, async (edge) => {
  // Icons of macOS leave a tenth free on each side; the smallest cannot spare it.
  const inset = edge <= 32 ? 2 : Math.round((edge * 100) / 1024)
  const { png } = await draw(page, { svg: app, edge, inset })
  return [edge, png] as const
})
write('icon.icns', icns(new Map(forMac)))

for (const state of trayStates) {
  const svg = readDrawing(`tray/${state}.svg`)
  for (const [suffix, edge] of Object.entries(macTray)) {
    // "Template": the system takes the shape and gives it the colour of its menu bar.
    write(`tray/mac/${state}Template${suffix}.png`, (await draw(page, { svg, edge })).png)
  }
  for (const [suffix, edge] of Object.entries(linuxTray)) {
    const { png } = await draw(page, { svg, edge, colour: trayColour })
    write(`tray/linux/${state}${suffix}.png`, png)
  }
  const pictures = await all(trayIcoEdges, (edge) => draw(page, { svg, edge, colour: trayColour }))
  write(`tray/windows/${state}.ico`, ico(pictures))
}

const manifest = {
  drawings: Object.fromEntries(drawings.map((name) => [name, hashOf(readDrawing(name))])),
  pictures: made,
}
writeFileSync(path.join(resources, 'icons.json'), `${JSON.stringify(manifest, null, 2)}\n`)
console.log(`${Object.keys(made).length} pictures written to resources/.`)

async function all<Item>(
  edges: readonly number[],
  make: (edge: number) => Promise<Item>,
): Promise<Item[]> {
  const items: Item[] = []
  for (const edge of edges) items.push(await make(edge))
  return items
}
