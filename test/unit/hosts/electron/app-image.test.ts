import { expect, it } from 'vitest'
import { runsFromAppImage } from '#hosts/electron/app-image.ts'

const mount = '/tmp/.mount_a'
it('distinguishes its own AppImage from that of its terminal', () => {
  const env = { APPIMAGE: '/home/a/Tabscope.AppImage', APPDIR: mount }
  expect(runsFromAppImage(env, `${mount}/resources`)).toBe(true)
  expect(runsFromAppImage(env, '/opt/Tabscope/resources')).toBe(false)
  expect(runsFromAppImage(env, `${mount}b/resources`)).toBe(false)
  expect(runsFromAppImage({ APPDIR: mount }, `${mount}/resources`)).toBe(false)
  expect(runsFromAppImage({ ...env, APPIMAGE: 'a' }, `${mount}/resources`)).toBe(false)
})
