# SPDX-License-Identifier: BSD-3-Clause
# Completion for bash: commands and options are what `ukode --help` lists.
_ukode() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} i
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} != -- ]] || { _command_offset $((i + 1)); return; }
    done
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$(ukode --help 2>/dev/null | sed -n 's/^  ukode \([a-z]*\).*/\1/p')" -- "$word"))
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(ukode "$command" --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p') --" -- "$word"))
    else # the choices of the option before, else files
        local choices
        choices=$(ukode "$command" --help 2>/dev/null | grep -A1 -e "^  ${COMP_WORDS[COMP_CWORD - 1]} " |
            sed -n 's/^ *UKODE_[A-Z_]*: \([a-z].*\)/\1/p' | tr -d , | sed 's/\[.*//')
        COMPREPLY=($(compgen -W "$choices" -- "$word"))
        [[ -n $choices ]] || compopt -o default
    fi
}
complete -F _ukode ukode
