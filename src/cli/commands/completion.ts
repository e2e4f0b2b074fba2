import { command, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { completionScript, shells } from '../completion.ts'

/** The command that completes the other ones and itself. */
export const completionFor = (commands: () => readonly Command[]): Command =>
  command({
    name: 'completion',
    summary: 'Print a script that completes commands in a shell',
    description: `The script defines the command team-account, which runs npm run -s cli -- in the folder of the service. To use it:

  bash, zsh  eval "$(npm run -s cli -- completion bash)", or zsh, in ~/.bashrc or ~/.zshrc
  fish       npm run -s cli -- completion fish | source, in ~/.config/fish/config.fish`,
    positionals: { shell: { description: shells.join(', ') } },
    completions: shells,
    run: async ({ positionals: { shell } }) => {
      const known = shells.find((each) => each === shell)
      if (!known) throw new UsageError(`SHELL must be one of ${shells.join(', ')}; it is ${shell}`)
      const script = completionScript(known, commands())
      return { value: { shell, script }, text: script.trimEnd() }
    },
  })
