#!/usr/bin/env python3
"""Writes support tickets for people who try Soba: make_tickets.py [ROWS [SEED]] > tickets.csv

A CSV file with an id, the time of arrival, numbers, categories, free text and the team that solved
the ticket. One ticket in fifty went to a team by chance. With --jsonl the same as JSON Lines.
"""

import csv
import datetime
import json
import random
import sys

COLUMNS = ["id", "created", "plan", "country", "channel", "amount", "items", "message", "team"]

# What the tickets of each team speak of.
TOPICS = {
    "billing": ["invoice", "charged twice", "refund", "credit card", "payment failed", "VAT number",
                "bank transfer", "receipt"],
    "shipping": ["parcel", "courier", "delivery date", "tracking number", "wrong address",
                 "customs", "still not arrived", "depot"],
    "returns": ["send it back", "return label", "wrong size", "damaged box", "exchange",
                "does not fit", "broken on arrival", "money back"],
    "technical": ["app crashes", "error message", "cannot log in", "update", "blank screen",
                  "very slow", "sync", "Bluetooth"],
    "account": ["change my email", "password", "delete my account", "two accounts", "newsletter",
                "new phone number", "username", "privacy"],
    "sales": ["quote", "bulk order", "discount", "is it in stock", "annual contract",
              "reseller", "demo", "price list"],
}
OPENINGS = ["Hello,", "Hi there!", "Good morning,", "Dear team,", "Hey,", "To whom it may concern:",
            "Once more:", ""]
MIDDLES = ["I have a question about", "there is a problem with", "please help me with", "what about",
           "nobody answered me about", "this is urgent:", "since Monday I wait for news on",
           "my colleague told me to ask about"]
LINKS = ["and also", "because of", "together with", "after", "not to mention"]
ENDINGS = ["Thanks!", "Please reply soon.", "Kind regards, {name}", "Order {number}.",
           "You can call me on {number}.", "This is the third time I write.", "Best, {name}", ""]
NAMES = ["Ana", "Björn", "Chen", "Dmitri", "Élodie", "Fatima", "George", "Hiro", "İpek", "João"]
COUNTRIES = ["de", "fr", "us", "gb", "jp", "br", "in", "tr"]


def message(draw, team):
    topics = draw.sample(TOPICS[team], 2)
    # People mention what is not the point.
    if draw.random() < 0.4:
        other = draw.choice(sorted(TOPICS))
        topics.append(draw.choice(TOPICS[other]))
    parts = [draw.choice(OPENINGS), draw.choice(MIDDLES), topics[0]]
    for topic in topics[1:]:
        parts += [draw.choice(LINKS), topic]
    ending = draw.choice(ENDINGS).format(name=draw.choice(NAMES), number=draw.randrange(10**6))
    text = " ".join(part for part in parts if part) + ". " + ending
    return text.strip()


def ticket(draw, number, time):
    team = draw.choices(sorted(TOPICS), weights=[3, 1, 5, 4, 2, 3])[0]
    plan = draw.choice(["free", "basic", "pro"])
    if team == "sales" and draw.random() < 0.7:
        plan = "enterprise"
    amount = round(draw.lognormvariate(5 if team == "sales" else 3, 1), 2)
    channel = draw.choice(["email", "web", "phone", "chat"])
    if team == "technical" and draw.random() < 0.5:
        channel = "chat"
    text = message(draw, team)
    if draw.random() < 0.02:
        team = draw.choice(sorted(TOPICS))
    country = draw.choice(COUNTRIES)
    return [f"T-{100000 + number}", time.strftime("%Y-%m-%dT%H:%M:%SZ"), plan, country, channel,
            "" if draw.random() < 0.05 else amount, draw.randrange(1, 9), text, team]


def tickets(rows, seed):
    draw = random.Random(seed)
    time = datetime.datetime(2026, 1, 5, 8)
    for number in range(rows):
        time += datetime.timedelta(seconds=draw.expovariate(1 / 900))
        yield ticket(draw, number, time)


def main(arguments):
    jsonl = "--jsonl" in arguments
    numbers = [int(a) for a in arguments if a != "--jsonl"]
    rows = numbers[0] if numbers else 20000
    seed = numbers[1] if len(numbers) > 1 else 1
    sys.stdout.reconfigure(encoding="utf-8", newline="")
    out = csv.writer(sys.stdout, lineterminator="\n")
    if not jsonl:
        out.writerow(COLUMNS)
    for row in tickets(rows, seed):
        if not jsonl:
            out.writerow(row)
            continue
        x = {name: value for name, value in zip(COLUMNS[:-1], row) if value != ""}
        print(json.dumps({"label": row[-1], "x": x}, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])
