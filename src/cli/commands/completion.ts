import { command } from '../command.ts'
import { completionScript, shells } from '../completion/scripts.ts'

export const completion = command({
  name: 'completion',
  summary: 'Print a script that completes commands in a shell',
  description: `Completes commands, options, scopes and other fixed values, and the slugs, email addresses and identifiers that are stored. The
script defines the command team-account unless it is installed. To use it:

  bash, zsh  eval "$(npm run -s cli -- completion bash)", or zsh, in ~/.bashrc or ~/.zshrc
  fish       npm run -s cli -- completion fish | source, in ~/.config/fish/config.fish`,
  positionals: { shell: { description: 'shell that evaluates it', values: shells } },
  run: async ({ positionals: { shell } }) => {
    const script = completionScript(shell)
    return { value: { shell, script }, text: script }
  },
})
