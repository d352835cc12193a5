import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** The rows of the table in `SECURITY.md`: point, file, file of the test, and its name. */
function rowsOf(text: string): { point: number; where: string; test: string; name: string }[] {
  const rows = text.matchAll(/^\| (\d+)\. [^|]+\| `([^`]+)` +\| `([^`]+)`: ([^|]*?) +\|$/gm)
  return Array.from(rows, ([, point, where = '', test = '', name = '']) => ({
    point: Number(point),
    where,
    test,
    name,
  }))
}

/** What is wrong with one row. */
function faultsOf({ where, test, name }: ReturnType<typeof rowsOf>[number]): string[] {
  const faults: string[] = []
  if (!existsSync(path.join(root, where))) faults.push(`there is no ${where}`)
  if (!existsSync(path.join(root, test))) return [...faults, `there is no ${test}`]
  const written = ["'", '"', '`'].some((quote) => read(test).includes(`${quote}${name}${quote}`))
  if (name === '' || !written) faults.push(`${test} has no test '${name}'`)
  return faults
}

describe("Electron's security checklist", () => {
  const rows = rowsOf(read('.github/SECURITY.md'))

  it('is told of in all its points, each with a place and a test that are there', () => {
    expect(rows.map(({ point }) => point)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
    expect(rows.flatMap(faultsOf)).toEqual([])
  })

  it('would show a place or a test that is gone', () => {
    const row = { point: 1, where: 'package.json', test: 'test/unit/lock.test.ts', name: 'nothing' }
    expect(faultsOf(row)).toEqual(["test/unit/lock.test.ts has no test 'nothing'"])
    expect(faultsOf({ ...row, where: 'src/gone.ts', test: 'test/gone.ts' })).toEqual([
      'there is no src/gone.ts',
      'there is no test/gone.ts',
    ])
  })
})

// The newest on 2026-11-22. Whoever raises it looks whether it is kept up: that is in no file here.
const LOOKED_AT = '45'

it('Electron is of the major that was looked at', () => {
  const lock: { packages: Record<string, { version: string }> } = JSON.parse(
    read('package-lock.json'),
  )
  const manifest: { devDependencies: Record<string, string> } = JSON.parse(read('package.json'))
  expect(lock.packages['node_modules/electron']?.version.split('.')[0]).toBe(LOOKED_AT)
  expect(manifest.devDependencies['electron']).toMatch(new RegExp(`^\\^${LOOKED_AT}\\.`))
})
