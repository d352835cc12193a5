import type { FarSide } from '#test/support/tunnel-rig.ts'
import { fakePrograms, fakesRunHere } from './programs.ts'

/** Why fake programs cannot be used on this system. */
export const fakesUnavailable = fakesRunHere
  ? null
  : 'the fake program is a script, which Windows runs only through a shell'

/** The remote side of a provider that uses a program. */
export async function programFarSide(name: 'cloudflared' | 'ngrok'): Promise<FarSide> {
  const programs = await fakePrograms([name])
  return {
    towards: async () => ({ world: programs.world(), options: {} }),
    left: () => programs.running().map((pid) => `process ${pid}`),
    held: {
      absent: async () => ({ world: programs.world('unreachable'), options: {} }),
      silent: async () => ({ world: programs.world('silent'), options: {} }),
      end: async () => {
        for (const pid of programs.running()) process.kill(pid, 'SIGUSR2')
      },
    },
    [Symbol.asyncDispose]: () => programs[Symbol.asyncDispose](),
  }
}
