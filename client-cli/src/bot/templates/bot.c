/* A bot for Grundy. It knows no rules: it asks for the legal moves and plays one of them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "@NAME@"
#define LINE (1 << 17) /* lines have at most 64 KiB */

/* The move to make: one of the `count` legal moves (the first thousand). Make this better. */
static const char *choose(const char *position, char **moves, int count)
{
    (void)position;
    return moves[rand() % count];
}

int main(void)
{
    static char line[LINE], position[LINE], id[32];
    static char *words[LINE / 2];

    setvbuf(stdout, NULL, _IOLBF, 0); /* every line goes out at once */
    while (fgets(line, sizeof line, stdin)) {
        int count = 0;
        for (char *word = strtok(line, " \r\n"); word; word = strtok(NULL, " \r\n"))
            words[count++] = word;
        if (count == 0)
            continue;
        if (!strcmp(words[0], "grundy")) { /* the greeting: say who you are, then ok */
            printf("bot name %s author me version 0.1\nok\n", NAME);
        } else if (!strcmp(words[0], "go")) { /* a move is wanted: ask which ones are legal */
            for (int at = 1; at + 1 < count; at += 2) {
                if (!strcmp(words[at], "id"))
                    snprintf(id, sizeof id, "%s", words[at + 1]);
                if (!strcmp(words[at], "position"))
                    snprintf(position, sizeof position, "%s", words[at + 1]);
            }
            printf("moves %s\n", id);
        } else if (!strcmp(words[0], "moves") && count > 3) { /* moves ID TOTAL MOVE MOVE ... */
            printf("move %s %s\n", id, choose(position, words + 3, count - 3));
        } else if (!strcmp(words[0], "quit")) {
            break;
        }
    }
    return 0;
}
