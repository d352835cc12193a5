import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

interface Row {
  readonly point: number
  readonly where: string
  readonly tests: readonly { readonly test: string; readonly name: string }[]
}

/** The rows of the table in `SECURITY.md`: point, file, and the tests with file and name. */
function rowsOf(text: string): Row[] {
  const rows = text.matchAll(/^\| (\d+)\. [^|]+\| `([^`]+)` +\| ([^|]*?) +\|$/gm)
  return Array.from(rows, ([, point, where = '', tests = '']) => ({
    point: Number(point),
    where,
    tests: Array.from(tests.matchAll(/`([^`]+)`: (.+?)(?=; `|$)/g), ([, test = '', name = '']) => ({
      test,
      name,
    })),
  }))
}

function faultsOf({ where, tests }: Omit<Row, 'point'>): string[] {
  const faults: string[] = []
  if (!existsSync(path.join(root, where))) faults.push(`there is no ${where}`)
  if (tests.length === 0) faults.push(`${where} has no test`)
  for (const { test, name } of tests) {
    if (!existsSync(path.join(root, test))) faults.push(`there is no ${test}`)
    else if (!["'", '"', '`'].some((quote) => read(test).includes(`${quote}${name}${quote}`)))
      faults.push(`${test} has no test '${name}'`)
  }
  return faults
}

describe("Electron's security checklist", () => {
  const rows = rowsOf(read('.github/SECURITY.md'))

  it('is documented completely, each point with an existing file and test', () => {
    expect(rows.map(({ point }) => point)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
    expect(rows.flatMap(faultsOf)).toEqual([])
  })
})

// The newest on 2026-11-22. Whoever raises it looks whether it is kept up: that is in no file here.
const LOOKED_AT = '45'

it('Electron has the reviewed major version', () => {
  const lock: { packages: Record<string, { version: string }> } = JSON.parse(
    read('package-lock.json'),
  )
  const manifest: { devDependencies: Record<string, string> } = JSON.parse(read('package.json'))
  expect(lock.packages['node_modules/electron']?.version.split('.')[0]).toBe(LOOKED_AT)
  expect(manifest.devDependencies['electron']).toMatch(new RegExp(`^\\^${LOOKED_AT}\\.`))
})
