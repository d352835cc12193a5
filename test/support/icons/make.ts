// `npm run icons`: renders all app and tray icons from the drawings in resources/ with a real Chromium.
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

/** A medium amber with a contrast of 4:1 to both light and dark panels. */
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
for (const folder of ['icons', 'tray/mac', 'tray/linux', 'tray/windows'])
  rmSync(path.join(resources, folder), { recursive: true, force: true })

const app = readDrawing('icon.svg')
for (const edge of appEdges)
  write(`icons/${edge}x${edge}.png`, (await draw(page, { svg: app, edge })).png)
write('icon.ico', ico(await all(icoEdges, (edge) => draw(page, { svg: app, edge }))))
const forMac = await all(icnsEdges, async (edge) => {
  // macOS icons have a margin of a tenth on each side, except the smallest ones.
  const inset = edge <= 32 ? 2 : Math.round((edge * 100) / 1024)
  const { png } = await draw(page, { svg: app, edge, inset })
  return [edge, png] as const
})
write('icon.icns', icns(new Map(forMac)))

for (const state of trayStates) {
  const svg = readDrawing(`tray/${state}.svg`)
  for (const [suffix, edge] of Object.entries(macTray)) {
    // "Template": macOS uses the shape in the color of the menu bar.
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
