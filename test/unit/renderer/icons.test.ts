import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Icons, iconsByName } from '#kit/icons.tsx'

it('has no icon that nothing shows', () => {
  const files = globSync('src/{renderer,catalogue,contract}/**/*.{ts,tsx}')
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const names = Object.keys(iconsByName)
  const unused = Object.keys(Icons).filter(
    (name, index) => !text.includes(`Icons.${name}`) && !text.includes(`'${names[index]}'`),
  )
  expect(unused).toEqual([])
})
