"""What stands between a page and the server: it refuses, or loses, some of what they say to each other."""

import json

BUSY = {"type": "error", "code": "server_busy", "message": "busy"}


def busy(kinds, times, refused, wait=100):
    """Refuses the first requests of each of these kinds as a busy server does, for so many milliseconds; `refused` has them."""

    def between(page_side):
        server_side = page_side.connect_to_server()

        def ask(message):
            asked = json.loads(message)
            kind = asked["body"]["type"]
            if kind in kinds and sum(one["body"]["type"] == kind for one in refused) < times:
                refused.append(asked)
                page_side.send(json.dumps({"re": asked["id"], "body": BUSY | {"retry_after_ms": wait}}))
            else:
                server_side.send(message)

        page_side.on_message(ask)

    return between


def lost(kind, times, asked):
    """Closes the connection instead of bringing the answer to the first requests of a kind, which the server gets; `asked` has all of that kind."""

    def between(page_side):
        server_side = page_side.connect_to_server()
        unanswered = set()
        closed = []

        def ask(message):
            request = json.loads(message)
            if request["body"]["type"] == kind:
                if len(asked) < times:
                    unanswered.add(request["id"])
                asked.append(request)
            server_side.send(message)

        def answer(message):
            if json.loads(message).get("re") in unanswered:
                closed.append(message)
                page_side.close()
                server_side.close()
            elif not closed:
                page_side.send(message)

        page_side.on_message(ask)
        server_side.on_message(answer)

    return between


def late(kind, times, held):
    """Keeps the answers to the first requests of a kind until somebody calls what is `held`."""

    def between(page_side):
        server_side = page_side.connect_to_server()
        asked = set()

        def ask(message):
            request = json.loads(message)
            if request["body"]["type"] == kind and len(asked) < times:
                asked.add(request["id"])
            server_side.send(message)

        def answer(message):
            if json.loads(message).get("re") in asked:
                held.append(lambda: page_side.send(message))
            else:
                page_side.send(message)

        page_side.on_message(ask)
        server_side.on_message(answer)

    return between
