import { describe, expect, it } from 'vitest'
import { runsFromAppImage, withoutAppImage } from '#hosts/electron/app-image.ts'

const mount = '/tmp/.mount_a'
const appImage = { APPIMAGE: '/home/a/Tabscope.AppImage', APPDIR: mount, OWD: '/', ARGV0: 'a' }

describe('the environment of another program', () => {
  it('has no trace of our AppImage', () => {
    const env = {
      ...appImage,
      PATH: `${mount}:${mount}/usr/sbin:/usr/bin:/tmp/.mount_ab`,
      LD_LIBRARY_PATH: `${mount}/usr/lib`,
      XDG_DATA_DIRS: `${mount}/usr/share/:/usr/share/`,
      HOME: '/home/a',
    }
    expect(withoutAppImage(env, `${mount}/resources`)).toEqual({
      PATH: '/usr/bin:/tmp/.mount_ab',
      XDG_DATA_DIRS: '/usr/share/',
      HOME: '/home/a',
    })
  })

  it('is unchanged if the variables belong to another AppImage', () => {
    const env = { ...appImage, PATH: '/usr/bin' }
    expect(withoutAppImage(env, '/opt/Tabscope/resources')).toEqual(env)
  })
})

it('distinguishes its own AppImage from that of its terminal', () => {
  const env = { APPIMAGE: '/home/a/Tabscope.AppImage', APPDIR: mount }
  expect(runsFromAppImage(env, `${mount}/resources`)).toBe(true)
  expect(runsFromAppImage(env, '/opt/Tabscope/resources')).toBe(false)
  expect(runsFromAppImage(env, `${mount}b/resources`)).toBe(false)
  expect(runsFromAppImage({ APPDIR: mount }, `${mount}/resources`)).toBe(false)
  expect(runsFromAppImage({ ...env, APPIMAGE: 'a' }, `${mount}/resources`)).toBe(false)
})
