import { command } from '../command.ts'
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
    positionals: { shell: { description: 'shell that evaluates it', values: shells } },
    run: async ({ positionals: { shell } }) => {
      const script = completionScript(shell, commands())
      return { value: { shell, script }, text: script.trimEnd() }
    },
  })
