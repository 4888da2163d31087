"""The page of the Super Scout, with the programs of mdle_executor where they are wanted."""

from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.mdle.page import ProgramClient
from walking_robots.nodes.scout.page import ScoutPage
from walking_robots.robots.super_scout import SUPER_SCOUT


def scout_page(node: PageNode) -> ScoutPage:
    """Return the Scout's page; the parameter ``plans`` of the node adds the programs."""
    page = ScoutPage(node, SUPER_SCOUT)
    if node.parameter('plans', False, 'show and steer the programs of mdle_executor', fixed=True):
        page.attach(ProgramClient(node, page.start, page.yield_robot))
    return page
