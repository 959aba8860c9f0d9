"""Friendly names for guests, such as Calm Heron 482: they are shown to others, and need not be unique."""

import secrets

MOODS = (  # noqa: SIM905
    "Able Amber Balmy Bold Brave Bright Brisk Calm Candid Careful Cheery Clear Clever Copper Cosy Crisp Curious Daring "
    "Deft Eager Early Easy Fair Fleet Fond Frank Gentle Glad Golden Grand Happy Hardy Honest Humble Jade Jolly Keen "
    "Kind Late Light Lively Lucid Merry Mellow Mild Neat Nimble Noble Patient Placid Plucky Proud Quick Quiet Ready "
    "Royal Scarlet Silver Snug Steady Sunny Swift Tidy Warm Wise Witty"
).split()

ANIMALS = (  # noqa: SIM905
    "Avocet Badger Bear Beaver Bison Bittern Buzzard Condor Crane Curlew Dolphin Dove Eagle Egret Elk Falcon Finch Fox "
    "Gannet Gecko Grouse Hare Hawk Heron Hoopoe Horse Ibis Jay Kestrel Kite Koi Lark Leopard Linnet Lynx Magpie Marten "
    "Martin Merlin Mynah Newt Ocelot Oriole Osprey Otter Owl Panda Petrel Pheasant Plover Puffin Quail Raven Robin "
    "Sparrow Starling Stork Swallow Swan Swift Tapir Teal Tern Tiger Tortoise Turtle Wagtail Warbler Wren"
).split()


def guest_name() -> str:
    number = 100 + secrets.randbelow(900)
    return f"{secrets.choice(MOODS)} {secrets.choice(ANIMALS)} {number}"
