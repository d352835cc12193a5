import { expect, it } from 'vitest'
import { frameworks } from '#catalogue/frameworks.ts'
import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { fixOf } from '#catalogue/rehearsal/fixes.ts'

const frameworkIds = frameworks.map(({ id }) => id)

it.each(rehearsalCases.map(({ id, fix }) => [id, fix] as const))(
  '%s has a fix in each framework that begins with the general one',
  (_id, topic) => {
    const general = fixOf(topic, null)
    expect(general).toMatch(/^[A-Z].*\.$/)
    for (const framework of frameworkIds) {
      const own = fixOf(topic, framework)
      expect(own === general || own.startsWith(`${general}\n`), framework).toBe(true)
    }
  },
)

it('has advice for every framework, or for none', () => {
  for (const topic of new Set(rehearsalCases.map(({ fix }) => fix))) {
    const own = frameworkIds.filter((id) => fixOf(topic, id) !== fixOf(topic, null))
    expect([0, frameworkIds.length], topic).toContain(own.length)
  }
})
