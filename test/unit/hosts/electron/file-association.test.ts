import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { logFilesOf } from '#hosts/data-dir.ts'

const Associations = z.object({
  fileAssociations: z.array(
    z.object({ ext: z.union([z.string(), z.array(z.string())]), rank: z.string().optional() }),
  ),
})
const { linux, mac, win } = z
  .object({ linux: Associations, mac: Associations, win: Associations })
  .parse(parse(readFileSync(new URL('../../../../electron-builder.yml', import.meta.url), 'utf8')))

const extensionsOf = ({ fileAssociations }: z.infer<typeof Associations>): string[] =>
  fileAssociations.flatMap(({ ext }) => ext)

it('owns its own extension, is offered for those of others, and reads all of them', () => {
  expect(extensionsOf(linux)).toEqual(['tabscope', 'har', 'ndjson'])
  expect(mac.fileAssociations.map(({ ext, rank }) => [ext, rank])).toEqual([
    ['tabscope', 'Owner'],
    [['har', 'ndjson'], 'Alternate'],
  ])
  // The builder would make each of them the default: the installer offers the others itself.
  expect(extensionsOf(win)).toEqual(['tabscope'])
  expect(logFilesOf(['/a.tabscope', '/b.har', '/c.ndjson'], '/')).toHaveLength(3)
})
